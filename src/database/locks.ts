import { sql } from 'drizzle-orm'
import type { Queries } from './db.ts'

/** Advisory locks: all processes that share a database must use the same numbers. */
export const migrationLock = 7_305_001
export const feedLock = 7_305_002

/** The sequence from which the ids of the feed are drawn. */
export const feedSequence = 'deployments_id_seq'

/** Under this lock, ids are committed in the order in which they are drawn (docs/architecture.md#event-log). */
export async function lockFeed(transaction: Queries): Promise<void> {
  // The key is not a parameter, because the driver would first ask for its type in another round trip.
  await transaction.execute(sql.raw(`select pg_advisory_xact_lock(${feedLock})`))
}
