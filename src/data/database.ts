import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Config } from '../config.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'
import type * as schema from './schema.ts'

/** Either driver's query builder: the same SQL serves both. */
export type Queries = PgDatabase<PgQueryResultHKT, typeof schema>

/** The one store. Every function of data/ takes it first. */
export type Db = {
  /** Runs queries under the deadline; throws Unavailable when the database cannot answer. */
  run<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Resolves when the schema is in place; rejects with what waiting does not mend. */
  readonly migrated: Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database of the configuration. The embedded one is migrated when this resolves; Postgres may
 * still be down then, and its migrations run as soon as it answers. Throws DataDirectoryInUse.
 */
export function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Db> {
  return config.databaseUrl === null ? openEmbedded(config.dataDir) : openPostgres(config.databaseUrl)
}

/** Runs a raw statement and gives its rows: the drivers differ in where they keep them. */
export async function rowsOf<Row>(queries: Queries, statement: SQL): Promise<readonly Row[]> {
  const result: unknown = await queries.execute(statement)
  return (Array.isArray(result) ? result : (result as { rows: unknown[] }).rows) as Row[]
}
