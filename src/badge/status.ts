import type { Freshness } from '../domain/freshness.ts'

/** What a badge can say: how fresh a user's latest deployment is, no such user, or nobody can tell now. */
export type BadgeStatus = Freshness | 'Unknown' | 'Unavailable'

/** The left word of every badge. */
export const label = 'deployed'

/** The right word of every badge (docs/decisions.md#badge): the specification's names, and two that are no freshness. */
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

/** Makes one thing for each status. */
export function forEachStatus<Thing>(make: (status: BadgeStatus) => Thing): Record<BadgeStatus, Thing> {
  const statuses = Object.keys(words) as BadgeStatus[]
  return Object.fromEntries(statuses.map((status) => [status, make(status)])) as Record<BadgeStatus, Thing>
}
