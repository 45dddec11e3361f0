import { sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { rowsOf } from '../../database/sql.ts'
import { hashSecret } from './secret.ts'

/** An operator's link to a new password, or to a new account with this username; only its hash is kept. */
export type PasswordLink = { readonly hash: string; readonly username: string; readonly isNew: boolean }

export const linkMinutes = 60

/**
 * Stores a link for an hour, and deletes expired ones. False if it leads nowhere: there is no such user, or
 * for a new account there is one.
 */
export async function storePasswordLink(db: Db, link: PasswordLink): Promise<boolean> {
  const owner = sql`(select id from users where username = ${link.username})`
  const stored = await db.run((queries) =>
    rowsOf(
      queries,
      sql`
        with over as (delete from password_links where expires_at < now())
        insert into password_links (hash, user_id, username, expires_at)
        select ${link.hash}, ${owner}, ${link.username}, now() + make_interval(mins => ${linkMinutes})
        where (${owner} is null) = ${link.isNew}
          and not exists (select 1 from retired_usernames where username = ${link.username})
        on conflict do nothing
        returning 1`,
    ),
  )
  return stored.length > 0
}

type Found = { readonly userId: number | null; readonly username: string }

/**
 * Whose password a link is for; `userId` is null for a new account. Null if it is unknown, used or expired.
 */
export async function findPasswordLink(db: Db, secret: string): Promise<Found | null> {
  return await read(db, sql`select user_id, username from password_links where ${works(secret)}`)
}

/** Uses a link up. Of two calls at once, only one gets it. */
export async function takePasswordLink(db: Db, secret: string): Promise<Found | null> {
  return await read(db, sql`delete from password_links where ${works(secret)} returning user_id, username`)
}

function works(secret: string) {
  // The username of a deleted account is not its own any more.
  return sql`hash = ${hashSecret(secret)} and expires_at > now() and (user_id is null
    or exists (select 1 from users u where u.id = user_id and u.username = password_links.username))`
}

async function read(db: Db, statement: ReturnType<typeof sql>): Promise<Found | null> {
  const [row] = await db.run((queries) =>
    rowsOf<{ user_id: string | number | null; username: string }>(queries, statement),
  )
  if (row === undefined) return null
  return { userId: row.user_id === null ? null : Number(row.user_id), username: row.username }
}
