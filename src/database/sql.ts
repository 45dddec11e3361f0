import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from './db.ts'

/** Runs a raw statement and gives its rows, which the drivers keep in different places. */
export async function rowsOf<Row>(queries: Queries, statement: SQL): Promise<readonly Row[]> {
  return rowsIn(await queries.execute(statement))
}

function rowsIn<Row>(result: unknown): readonly Row[] {
  return (Array.isArray(result) ? result : (result as { rows: unknown[] }).rows) as Row[]
}

/** The row of a statement that always gives one, such as an aggregate. */
export async function oneRowOf<Row>(queries: Queries, statement: SQL): Promise<Row> {
  return firstOf(await rowsOf<Row>(queries, statement))
}

function firstOf<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement that always gives one row gave none')
  return row
}

/**
 * The row of a statement that is written out, with its values for $1, $2, …. For what is asked all the time:
 * any other statement is put together anew by Drizzle for each call.
 */
export async function rowOfWritten<Row>(
  queries: Queries,
  text: string,
  values: readonly string[],
): Promise<Row> {
  const query = { sql: text, params: [...values] }
  const result = await queries._.session.prepareQuery(query, undefined, undefined, false).execute()
  return firstOf(rowsIn<Row>(result))
}

/** An array parameter, for `unnest` and `= any`; null elements stay null. */
export function texts(values: readonly (string | null)[]): SQL {
  return sql`${sql.param(values)}::text[]`
}

/**
 * An instant as milliseconds since 1970: the drivers differ in how they give timestamps, but not numbers. By
 * way of whole microseconds, so that it is exact; `extract` is too, and takes three times as long.
 */
export function inMs(instant: SQL): SQL {
  return sql`(round(date_part('epoch', ${instant}) * 1000000) / 1000)`
}

/** The database's present instant, by which ages are told. */
export const nowInMs = inMs(sql`statement_timestamp()`)
