import { sql } from 'drizzle-orm'
import type { Queries } from './db.ts'

/** The advisory locks of this service. Every process of a database must agree on these numbers. */
export const migrationLock = 7_305_001
export const feedLock = 7_305_002

/** What gives the ids of the feed, under that lock. */
export const feedSequence = 'deployments_id_seq'

/**
 * Takes the lock under which deployments are written and withdrawn, until the transaction ends. Ids are drawn
 * under it, so that their order is the order of the commits (docs/architecture.md#log). Functions of the database
 * take it for announcements and withdrawals (drizzle/0014_fields.sql, 0019_one_round_trip.sql).
 */
export async function lockFeed(transaction: Queries): Promise<void> {
  // Written out: the driver first asks what a parameter is, which is a round trip.
  await transaction.execute(sql.raw(`select pg_advisory_xact_lock(${feedLock})`))
}
