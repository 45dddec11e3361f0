import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from './db.ts'

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

/** An array parameter, for `unnest` and `= any`; null elements stay null. */
export function texts(values: readonly (string | null)[]): SQL {
  return sql`${sql.param(values)}::text[]`
}

/** An instant as milliseconds since 1970: the drivers give timestamps in different forms, and numbers alike. */
export function inMs(instant: SQL): SQL {
  return sql`(extract(epoch from ${instant}) * 1000)::float8`
}

/** The database's present instant, for ages to be told by. */
export const nowInMs = inMs(sql`statement_timestamp()`)
