import { sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { rowsOf } from '../../database/sql.ts'
import { hashSecret, newSecret } from './secret.ts'
import { notOver } from './sessions.ts'
import { isAccount } from './users.ts'

/** The most sessions and devices of a user; more would only be forgotten ones. */
const most = 100

/** The secrets that a browser gets when somebody signs in. */
export type SignedIn = { readonly session: string; readonly device: string }

type Browser = {
  /** Its User-Agent header. */
  readonly userAgent: string
  /** The secret of its device cookie, replaced if it is none of ours. */
  readonly device: string | null
  /** The session that it had before, which ends. */
  readonly sessionHash: string | null
}

/**
 * Signs a user in with a browser, which is then known as a device of theirs; null if the user was deleted
 * meanwhile. Stores only hashes of the secrets, and deletes expired sessions and the oldest beyond the cap.
 */
export async function openSession(db: Db, userId: number, browser: Browser): Promise<SignedIn | null> {
  const session = newSecret()
  const device = newSecret()
  const presented = browser.device === null ? null : hashSecret(browser.device)
  const [row] = await db.run((queries) =>
    rowsOf<{ device: string }>(
      queries,
      sql`
        with owner as (select id from users where id = ${userId} and ${isAccount} for key share),
        ended as (
          delete from sessions
          where hash = ${browser.sessionHash} or user_id = ${userId} and (not (${notOver}) or hash in (
            select hash from sessions where user_id = ${userId} order by created_at desc offset ${most - 1}))
        ),
        chosen as (
          select coalesce((select hash from devices where hash = ${presented} limit 1), ${hashSecret(device)}) as hash
        ),
        forgotten as (
          delete from devices
          where user_id = ${userId} and hash <> (select hash from chosen) and hash in (
            select hash from devices where user_id = ${userId} order by signed_in_at desc offset ${most - 1})
        ),
        known as (
          insert into devices (hash, user_id) select chosen.hash, owner.id from chosen, owner
          on conflict (hash, user_id) do update set signed_in_at = now()
        )
        insert into sessions (hash, user_id, device)
        select ${hashSecret(session)}, owner.id, ${browser.userAgent.slice(0, 255)} from owner
        returning (select hash from chosen) as device`,
    ),
  )
  if (row === undefined) return null
  return { session, device: row.device === presented && browser.device !== null ? browser.device : device }
}
