import type { Freshness } from '../domain/freshness.ts'

/** What a badge can say: how fresh a user's latest deployment is, no such user, or nobody can tell now. */
export type BadgeStatus = Freshness | 'Unknown' | 'Unavailable'

/** The left word of every badge. */
export const label = 'deployed'

/** The right word of every badge (decisions, "Badge"): the specification's names, and two that are no freshness. */
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

/** Makes one thing for each status; to forget one is a type error. */
export function forEachStatus<Thing>(make: (status: BadgeStatus) => Thing): Record<BadgeStatus, Thing> {
  return {
    Fresh: make('Fresh'),
    Warm: make('Warm'),
    Active: make('Active'),
    Quiet: make('Quiet'),
    Stale: make('Stale'),
    Inactive: make('Inactive'),
    Unknown: make('Unknown'),
    Unavailable: make('Unavailable'),
  }
}
