import { sql } from 'drizzle-orm'
import type { Queries } from './db.ts'

/** The advisory locks of this service. Every process of a database must agree on these numbers. */
export const migrationLock = 7_305_001
export const feedLock = 7_305_002

/**
 * Takes the lock under which deployments are written and withdrawn, until the transaction ends. Ids are drawn
 * under it, so that their order is the order of the commits (docs/architecture.md#log). Announcements take it in
 * the function that records them (drizzle/0014_fields.sql).
 */
export async function lockFeed(transaction: Queries): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${feedLock})`)
}
