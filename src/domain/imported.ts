/**
 * The limits of history (docs/decisions.md#history). A call of POST /api/history has at most `items` and `bytes`, and tries
 * at most so many ids before it refuses the rest as crowded. The others limit the deployments of a user: all of them,
 * those that are added on a UTC day, and those of one second.
 */
export const importLimits = {
  items: 1_000,
  bytes: 1024 * 1024,
  ofUser: 20_000,
  aDay: 10_000,
  aSecond: 1_000,
  tries: 20_000,
} as const

/**
 * The id of an imported deployment is made of its second, to have the order of time, with this many ids for each second.
 * Until the year 2065 they are negative, and so before all ids of the sequence.
 */
export const idsPerSecond = 100_000
export const importOrigin = 300_000_000_000_000

/** An id below those of all deployments. */
export const beforeImported = -importOrigin - 1

/** The first id of an imported deployment that is not before an instant. */
export function firstImportedFrom(instant: Date): number {
  const id = Math.ceil(instant.getTime() / 1000) * idsPerSecond - importOrigin
  return Math.min(0, Math.max(-importOrigin, id))
}
