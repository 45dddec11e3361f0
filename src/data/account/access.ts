import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { allRows } from '../statements.ts'
import { isAccount } from './schema.ts'

/** Parts of a `with` that end what works without a password and a session, of these users. Webhooks are paused. */
export function endingOtherAccess(ofThese: SQL, because: string): SQL {
  return sql`
    publishers as (delete from publishers where ${ofThese}),
    intakes as (delete from intakes where ${ofThese}),
    tokens as (delete from tokens where ${ofThese}),
    keys as (delete from read_keys where ${ofThese}),
    hooks as (
      update webhooks set paused_at = now(), claim = null, paused_because = ${because}
      where ${ofThese} and paused_at is null
    )`
}

/** Ends all access to one account, or to all: only passwords stay. Gives the number of accounts. */
export async function endAccess(db: Db, userId: number | null): Promise<number> {
  const ofThese = userId === null ? sql`true` : sql`user_id = ${userId}`
  const [ended] = await db.write(
    allRows<{ accounts: number }>(sql`
      with ${endingOtherAccess(ofThese, 'the operator ended all access: check its address')},
        links as (delete from password_links where ${ofThese}),
        browsers as (delete from devices where ${ofThese}),
        ended as (delete from sessions where ${ofThese})
      select count(*)::int as accounts from users where ${isAccount} and (${userId === null} or id = ${userId})`),
  )
  return ended?.accounts ?? 0
}
