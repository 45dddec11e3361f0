/**
 * A search looks into the index in rounds, each of which is one statement. On the embedded database nobody else has
 * their turn meanwhile, so each is as large as the one before says that it may be; and there are few, because a
 * database may be 200 ms away.
 */
export const firstRound = 8
export const mostRounds = 4

/** So many batches that may have what is searched for end a round: where they begin, the last round does not tell. */
export const mostFound = 256

/** What a round may take; what the last one took tells it well enough, but for what has to be read from a disk. */
const aimedMs = 25
const mostGrowth = 16
const smallest = 4

/** How many batches the next round looks into: by how many the last one did, and how long that took the database. */
export function nextRound(batches: number, tookMs: number): number {
  const growth = Math.min(mostGrowth, aimedMs / Math.max(tookMs, 0.001))
  return Math.max(smallest, Math.floor(batches * growth))
}
