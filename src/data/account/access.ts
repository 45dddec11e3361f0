import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { oneValue } from '../statements.ts'
import type { TableUse } from '../table-uses/table-use.ts'
import { isAccount } from './tables.ts'

/** What works after a new password too, unless the box of an operator's link ends it. */
export function otherAccess(tables: readonly TableUse[]): string {
  const named = tables.flatMap(({ access = [] }) => access).toSorted((one, other) => one.place - other.place)
  return new Intl.ListFormat('en-GB').format(named.map(({ name }) => name))
}

/** A `with` that ends all access to accounts but by a password: sessions, links, known browsers, and by these tables. */
export function endingAccess(tables: readonly TableUse[], ofThese: SQL, because: string): SQL {
  const others = tables.flatMap(({ table, access, pausing }) => {
    if (access === undefined) return []
    const ending = pausing?.(ofThese, because) ?? sql`delete from ${table} where ${ofThese}`
    return sql`${sql.identifier(`ended_${getTableName(table)}`)} as (${ending}),`
  })
  return sql`with ${sql.join(others)}
    ended as (delete from sessions where ${ofThese}),
    links as (delete from password_links where ${ofThese}),
    browsers as (delete from devices where ${ofThese})`
}

/** Ends all access to one account, or to all: only passwords stay. Gives the number of accounts. */
export async function endAccess(db: Db, tables: readonly TableUse[], userId: number | null): Promise<number> {
  const ofThese = userId === null ? sql`true` : sql`user_id = ${userId}`
  const statement = sql`
    ${endingAccess(tables, ofThese, 'the operator ended all access: check its address')}
    select count(*)::int as accounts from users where ${isAccount} and (${userId === null} or id = ${userId})`
  return await db.write(oneValue<number>(statement))
}
