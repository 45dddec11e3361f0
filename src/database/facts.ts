import { sql } from 'drizzle-orm'
import type { Queries } from './db.ts'
import { type SchemaState, schemaState } from './migrations.ts'
import { inMs, oneRowOf } from './sql.ts'

/** What an operator wants to know of a database. */
export type DatabaseFacts = {
  /** Of Postgres, as "15.20". */
  readonly version: string
  readonly isReadOnly: boolean
  /** Whether what is committed survives a crash of the machine. */
  readonly isDurable: boolean
  readonly megabytes: number
  /** How far the database's clock is ahead of ours, in milliseconds. */
  readonly aheadMs: number
  readonly schema: SchemaState
}

/** Reads them; takes no right but to read. */
export async function readFacts(queries: Queries): Promise<DatabaseFacts> {
  const schema = await schemaState(queries)
  const askedAt = Date.now()
  const { now_ms, ...facts } = await oneRowOf<Omit<DatabaseFacts, 'aheadMs' | 'schema'> & { now_ms: number }>(
    queries,
    sql`
      select split_part(current_setting('server_version'), ' ', 1) as version, ${inMs(sql`clock_timestamp()`)} as now_ms,
        current_setting('transaction_read_only') = 'on' or pg_is_in_recovery() as "isReadOnly",
        current_setting('fsync') = 'on' as "isDurable",
        (pg_database_size(current_database()) / 1e6)::int as megabytes`,
  )
  return { ...facts, schema, aheadMs: now_ms - (askedAt + Date.now()) / 2 }
}
