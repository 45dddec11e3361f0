import { sql } from 'drizzle-orm'
import type { Queries } from './db.ts'

/** The advisory locks of this service. All processes of a database must use the same numbers. */
export const migrationLock = 7_305_001
export const feedLock = 7_305_002

/** The sequence that gives the ids of the feed, under the feed's lock. */
export const feedSequence = 'deployments_id_seq'

/**
 * Takes the feed's lock until the transaction ends. Deployments are written and withdrawn under it, and ids
 * are drawn under it, so ids have the order of the commits (docs/architecture.md#log). Functions of the
 * database take the same lock for announcements and withdrawals.
 */
export async function lockFeed(transaction: Queries): Promise<void> {
  // Without a parameter, because the driver would ask for its type in another round trip.
  await transaction.execute(sql.raw(`select pg_advisory_xact_lock(${feedLock})`))
}

/**
 * The number of rows that background work deletes at once. Announcements may wait until these are on the disk, which
 * takes several times as long with five times as many (docs/laboratory.md#designs-that-were-tried).
 */
export const deletedAtOnce = 100

/** Does background work, then waits for as long as it took, so that it uses at most half of the time. */
export async function gently<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  await Bun.sleep(performance.now() - start)
  return result
}
