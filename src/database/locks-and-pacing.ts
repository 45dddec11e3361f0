import { sql } from 'drizzle-orm'
import type { Queries } from './db.ts'

/** The advisory locks of this service. All processes that share a database must use the same numbers. */
export const migrationLock = 7_305_001
export const feedLock = 7_305_002

/** The sequence from which the ids of the feed are drawn. */
export const feedSequence = 'deployments_id_seq'

/**
 * Takes the feed's lock and holds it until the transaction ends. Announcements are written and withdrawn
 * under this lock, and their ids are drawn under it, so the order of ids is the order of commits
 * (docs/architecture.md#log). For announcements and withdrawals, functions of the database take the same lock.
 */
export async function lockFeed(transaction: Queries): Promise<void> {
  // The key is not a parameter, because the driver would first ask for its type in another round trip.
  await transaction.execute(sql.raw(`select pg_advisory_xact_lock(${feedLock})`))
}

/**
 * The number of rows that background work deletes at once. An announcement may have to wait until such a deletion is on
 * disk, and would wait longer if the deletion had more rows (docs/laboratory.md#designs-that-were-tried).
 */
export const deletedAtOnce = 100

/** Does background work, then waits for as long as the work took, so that it takes at most half of the time. */
export async function gently<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  await Bun.sleep(performance.now() - start)
  return result
}
