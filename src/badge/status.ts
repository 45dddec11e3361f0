import type { Freshness } from '../domain/freshness.ts'

/** What a badge can say: a freshness, that there is no such user, or that the database cannot answer. */
export type BadgeStatus = Freshness | 'Unknown' | 'Unavailable'

/** The name of each status as a badge writes it (docs/decisions.md#badge). */
export const words: Readonly<Record<BadgeStatus, string>> = {
  Fresh: 'Fresh',
  Warm: 'Warm',
  Active: 'Active',
  Quiet: 'Quiet',
  Stale: 'Stale',
  Inactive: 'Inactive',
  Unknown: 'unknown',
  Unavailable: 'unavailable',
}

/** A record with one value per status. */
export function forEachStatus<Thing>(make: (status: BadgeStatus) => Thing): Record<BadgeStatus, Thing> {
  const statuses = Object.keys(words) as BadgeStatus[]
  return Object.fromEntries(statuses.map((status) => [status, make(status)])) as Record<BadgeStatus, Thing>
}
