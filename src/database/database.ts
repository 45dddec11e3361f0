import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from '../data/schema.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'

/** Either driver's query builder: the same SQL serves both. */
export type Queries = PgDatabase<PgQueryResultHKT, typeof schema>

/** A Postgres address, or null for the embedded database in a directory. */
export type Location = { readonly databaseUrl: string | null; readonly dataDir: string }

/** The one store. Every function of data/ takes it first. */
export type Db = {
  /** Runs queries under the deadline; throws Unavailable when the database cannot answer. */
  run<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Resolves when the schema is in place; rejects with what waiting does not mend, such as DatabaseUnusable. */
  readonly migrated: Promise<void>
  /** Calls `ring` whenever the feed may have something new, until the returned function is called. */
  hearBell(ring: () => void): () => Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database of the configuration. The embedded one is migrated when this resolves; Postgres may
 * still be down then, and its migrations run as soon as it answers. Throws DatabaseUnusable.
 */
export function openDatabase({ databaseUrl, dataDir }: Location): Promise<Db> {
  return databaseUrl === null ? openEmbedded(dataDir) : openPostgres(databaseUrl)
}

/** Whether the database answers now. */
export async function isReachable(db: Db): Promise<boolean> {
  return await db
    .run((queries) => queries.execute(sql`select 1`))
    .then(
      () => true,
      () => false,
    )
}

/** Runs a raw statement and gives its rows: the drivers differ in where they keep them. */
export async function rowsOf<Row>(queries: Queries, statement: SQL): Promise<readonly Row[]> {
  const result: unknown = await queries.execute(statement)
  return (Array.isArray(result) ? result : (result as { rows: unknown[] }).rows) as Row[]
}

/** The row of a statement that gives one whatever it finds, such as an aggregate. */
export async function oneRowOf<Row>(queries: Queries, statement: SQL): Promise<Row> {
  const [row] = await rowsOf<Row>(queries, statement)
  if (row === undefined) throw new Error('a statement that always gives one row gave none')
  return row
}
