import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { allRows, changesAny } from '../statements.ts'
import { passwordLinks } from './tables.ts'
import { hashSecret } from './tokens.ts'

/** An operator's link, for an existing or a new account. */
type PasswordLink = { readonly hash: string; readonly username: string; readonly isNew: boolean }

/** For so long an operator's link works. */
export const linkMinutes = 60

/** Stores a link, and deletes expired ones. False if it would lead nowhere. */
export async function storePasswordLink(db: Db, link: PasswordLink): Promise<boolean> {
  const owner = sql`(select id from users where username = ${link.username})`
  return await changesAny(
    db,
    allRows(sql`
      with over as (delete from password_links where expires_at < now())
      insert into password_links (hash, user_id, username, expires_at)
      select ${link.hash}, ${owner}, ${link.username}, now() + make_interval(mins => ${linkMinutes})
      where (${owner} is null) = ${link.isNew}
        and not exists (select from retired_usernames where username = ${link.username})
      on conflict do nothing
      returning 1`),
  )
}

/** `userId` is null for a new account. */
type StoredLink = typeof passwordLinks.$inferSelect

/** A link; null if it is unknown, used or expired. */
export async function findPasswordLink(db: Db, secret: string): Promise<StoredLink | null> {
  const [found] = await db.readPrimary((queries) => queries.select().from(passwordLinks).where(works(secret)))
  return found ?? null
}

/** Uses up a link, and returns it as findPasswordLink does. Of concurrent calls, only one gets it. */
export async function takePasswordLink(db: Db, secret: string): Promise<StoredLink | null> {
  const [taken] = await db.write((queries) => queries.delete(passwordLinks).where(works(secret)).returning())
  return taken ?? null
}

/** A link of a deleted account does not work, because the username is no longer its own. */
function works(secret: string): SQL | undefined {
  return and(
    eq(passwordLinks.hash, hashSecret(secret)),
    sql`${passwordLinks.expiresAt} > now()`,
    sql`(${passwordLinks.userId} is null or exists (
      select from users u where u.id = ${passwordLinks.userId} and u.username = ${passwordLinks.username}
    ))`,
  )
}
