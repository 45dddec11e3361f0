import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { inMs, oneRowOf, rowsOf } from '../../database/sql.ts'
import { tokenFrom } from '../../domain/account/token.ts'
import type { Identity } from '../../domain/publisher/identity.ts'
import { tokens } from './schema.ts'
import { hashSecret } from './secret.ts'
import { isAccount } from './users.ts'

/** How long a publisher's token works. */
export const tokenMinutes = 15

type Exchange = {
  readonly publisherId: number
  readonly identity: Identity
  readonly issuer: string
  /** The identity token's own id. */
  readonly jti: string
  /** From when on it would be refused anyway. */
  readonly forgetAt: Date
}

export type Exchanged =
  | { readonly outcome: 'exchanged'; readonly token: string; readonly expiresAt: Date }
  | { readonly outcome: 'used' }
  /** The publisher was removed meanwhile, or pinned to other numbers. */
  | { readonly outcome: 'changed' }

/**
 * Gives a publisher a token for its identity token, which is used up, and pins the numbers behind its names. Of
 * many with one identity token, exactly one gets a token. The token is never seen again.
 */
export async function exchange(db: Db, of: Exchange): Promise<Exchanged> {
  const token = tokenFrom(crypto.getRandomValues(new Uint8Array(32)))
  const { ownerId, repositoryId } = of.identity
  const { is_first, expires_at_ms } = await db.run((queries) =>
    oneRowOf<{ is_first: boolean; expires_at_ms: number | null }>(
      queries,
      sql`
        with first as (
          insert into used_jtis (issuer, jti, expires_at) values (${of.issuer}, ${of.jti}, ${of.forgetAt.toISOString()})
          on conflict do nothing returning 1
        ),
        owner as (
          select users.id from users join publishers p on p.user_id = users.id
          where p.id = ${of.publisherId} and ${isAccount} for key share of users
        ),
        pinned as (
          update publishers set owner_id = ${ownerId}, repository_id = ${repositoryId}, last_used_at = now()
          where id = ${of.publisherId} and user_id = (select id from owner) and exists (select from first)
            and coalesce(owner_id, ${ownerId}) is not distinct from ${ownerId}
            and coalesce(repository_id, ${repositoryId}) is not distinct from ${repositoryId}
          returning id, user_id
        ),
        given as (
          insert into tokens (hash, user_id, last_four, expires_at, publisher_id)
          select ${hashSecret(token)}, user_id, ${token.slice(-4)}, now() + make_interval(mins => ${tokenMinutes}), id
          from pinned
          returning expires_at
        )
        select exists (select from first) as is_first,
          (select ${inMs(sql`expires_at`)} from given) as expires_at_ms`,
    ),
  )
  if (!is_first) return { outcome: 'used' }
  if (expires_at_ms === null) return { outcome: 'changed' }
  return { outcome: 'exchanged', token, expiresAt: new Date(expires_at_ms) }
}

/** Ends a publisher's token. False if there is none that works, or it is a user's own. */
export async function endPublisherToken(db: Db, tokenHash: string): Promise<boolean> {
  const ended = await db.run((queries) =>
    queries
      .delete(tokens)
      .where(and(eq(tokens.hash, tokenHash), isNotNull(tokens.publisherId), sql`${tokens.expiresAt} > now()`))
      .returning({ hash: tokens.hash }),
  )
  return ended.length > 0
}

/** Deletes what no exchange needs any more. Throws Unavailable; it then goes another time. */
export async function forgetExchanges(db: Db): Promise<void> {
  await db.run((queries) =>
    rowsOf(
      queries,
      sql`
        with over as (delete from tokens where publisher_id is not null and expires_at < now())
        delete from used_jtis where expires_at < now()`,
    ),
  )
}
