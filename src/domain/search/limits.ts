/**
 * A search reads the index in rounds of one statement each. A statement blocks the embedded database, so the duration of
 * each round decides the size of the next. There are few rounds, because a database may be 200 ms away.
 */
export const firstRound = 8
export const mostRounds = 4

/** A round stops after this many candidate batches, because the last round cannot predict them. */
export const mostFound = 256

/** The intended duration of a round. The previous round predicts it well, unless rows are read from a disk. */
export const aimedMs = 25
const mostGrowth = 16
const smallest = 4

/** The number of batches of the next round, from that of the last one and the milliseconds that it took. */
export function nextRound(batches: number, tookMs: number): number {
  const growth = Math.min(mostGrowth, aimedMs / Math.max(tookMs, 0.001))
  return Math.max(smallest, Math.floor(batches * growth))
}

/** A search counts no more results than this. */
export const mostCounted = 1_000

/** How many results a search has: exactly if these are all, and else at least. */
export type Count = { readonly found: number; readonly isAll: boolean }
