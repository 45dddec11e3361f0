import { type SQL, sql } from 'drizzle-orm'
import type { Db, Queries } from './db.ts'

/** Runs a raw statement and returns its rows, which the two drivers return in different shapes. */
export async function rowsOf<Row>(queries: Queries, statement: SQL): Promise<readonly Row[]> {
  return rowsIn(await queries.execute(statement))
}

function rowsIn<Row>(result: unknown): readonly Row[] {
  return (Array.isArray(result) ? result : (result as { rows: unknown[] }).rows) as Row[]
}

/** The row of a statement that always returns one, such as an aggregate. */
export async function oneRowOf<Row>(queries: Queries, statement: SQL): Promise<Row> {
  return firstOf(await rowsOf<Row>(queries, statement))
}

function firstOf<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement that always returns a row returned none')
  return row
}

/**
 * The row of a statement given as text, with its values for $1, $2, …. This is for the most frequent
 * statements, because Drizzle builds the text of all others again for each call.
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
 * An instant as milliseconds since 1970, because the drivers return timestamps differently, but numbers
 * alike. It is computed from whole microseconds to be exact. `extract` is exact too, but takes three times as
 * long.
 */
export function inMs(instant: SQL): SQL {
  return sql`(round(date_part('epoch', ${instant}) * 1000000) / 1000)`
}

/** The current instant of the database, from which all ages are computed. */
export const nowInMs = inMs(sql`statement_timestamp()`)

/** The current instant of the database, for callers that read nothing else. */
export async function databaseNow(db: Db): Promise<Date> {
  const { now_ms } = await db.read((queries) =>
    oneRowOf<{ now_ms: number }>(queries, sql`select ${nowInMs} as now_ms`),
  )
  return new Date(now_ms)
}

/** The number of rows in a chunk, which its query uses as its limit. */
export const chunkSize = 500

/**
 * Reads any number of rows in chunks. Each chunk begins where the previous one ended, and sees its own
 * instant. Takes the place before the first row, a function that gives the place of a row, and a query that
 * reads up to `chunkSize` rows after a place.
 */
export async function* chunked<Row, Place>(
  first: Place,
  placeOf: (row: Row) => Place,
  read: (from: Place) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  let last: Row | undefined
  do {
    const rows: readonly Row[] = await read(last === undefined ? first : placeOf(last))
    if (rows.length > 0) yield rows
    last = rows.length < chunkSize ? undefined : rows.at(-1)
  } while (last !== undefined)
}
