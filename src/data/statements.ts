import { type SQL, sql } from 'drizzle-orm'
import { type Db, oneRowOf, type Queries, rowsOf, texts } from '../database/db.ts'
import { targetRule } from '../domain/target.ts'

/** A raw statement, to be given to a function of `Db`, which then gives all of its rows. */
export function allRows<Row>(statement: SQL): (queries: Queries) => Promise<readonly Row[]> {
  return (queries) => rowsOf<Row>(queries, statement)
}

/** The same for a statement that always returns one row. */
export function oneRow<Row>(statement: SQL): (queries: Queries) => Promise<Row> {
  return (queries) => oneRowOf<Row>(queries, statement)
}

/** The same for a statement whose one row has one column: its value. */
export function oneValue<Value>(statement: SQL): (queries: Queries) => Promise<Value> {
  return async (queries) =>
    Object.values(await oneRowOf<Record<string, Value>>(queries, statement))[0] as Value
}

/**
 * The hashes of those of these rows that nobody else is writing. Uses are noted in these only: several statements that
 * wait for each other's rows could wait for ever, and another note says the same.
 */
export function unwritten(table: SQL, hashes: readonly string[]): SQL {
  return sql`(select hash from ${table} where hash = any(${texts(hashes)}) for no key update skip locked)`
}

type Write = (queries: Queries) => PromiseLike<readonly unknown[]>

/** Runs a write that returns the rows it changed. True if it changed any. */
export async function changesAny(db: Db, write: Write): Promise<boolean> {
  return (await db.write(async (queries) => await write(queries))).length > 0
}

/** The id of the last event as an expression, 0 if there is none. */
export const latestEventText = `
  greatest(
    0, (select max(id) from deployments), (select max(id) from withdrawals),
    (select max(event_id) from retired_usernames)
  )`

/** The same, for statements that Drizzle builds. */
export const latestEvent = sql.raw(latestEventText)

/** Counts each row of a relation of deployments (`id`, `user_id`, `deployed_at`), which must not be counted yet. */
export function counting(relation: SQL): SQL {
  return sql`
    select ${countScopes(sql`array_agg(id)`)}, count_days(array_agg(user_id), array_agg(deployed_at), 1)
    from ${relation} as counted`
}

/** Counts the deployments with these ids for their scopes and targets. Repeating this changes nothing. */
export function countScopes(ids: SQL): SQL {
  // The rule is a literal and not a parameter, because the benchmarks run this as text.
  return sql`count_scopes(${ids}, ${sql.raw(String(targetRule))}::smallint)`
}
