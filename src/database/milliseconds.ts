import { type SQL, sql } from 'drizzle-orm'

/** An instant as milliseconds since 1970: the drivers give timestamps in different forms, and numbers alike. */
export function inMs(instant: SQL): SQL {
  return sql`(extract(epoch from ${instant}) * 1000)::float8`
}

/** The database's present instant, for ages to be told by. */
export const nowInMs = inMs(sql`statement_timestamp()`)
