import { day, hour } from './time.ts'

/** The greatest age of each status, inclusive (docs/decisions.md#badge). */
export const freshnessBounds = [
  [3 * hour, 'Fresh'],
  [24 * hour, 'Warm'],
  [7 * day, 'Active'],
  [30 * day, 'Quiet'],
] as const

export type Freshness = (typeof freshnesses)[number]

export const freshnesses = [...freshnessBounds.map(([, name]) => name), 'Stale', 'Inactive'] as const

/** How fresh a latest deployment is. `latest` is null if there is none. One ahead of the clock is Fresh. */
export function freshnessOf(latest: Date | null, now: Date): Freshness {
  if (latest === null) return 'Inactive'
  const age = now.getTime() - latest.getTime()
  return freshnessBounds.find(([limit]) => age <= limit)?.[1] ?? 'Stale'
}

/** The next instant at which the freshness changes without a new deployment; null if it never does. */
export function freshnessChangesAt(latest: Date, now: Date): Date | null {
  const age = now.getTime() - latest.getTime()
  const bound = freshnessBounds.find(([limit]) => age <= limit)?.[0]
  // Bounds are inclusive.
  return bound === undefined ? null : new Date(latest.getTime() + bound + 1)
}
