import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { isAccount, publishers, tokens } from '../../data/account/tables.ts'
import { hashSecret, newToken } from '../../data/account/tokens.ts'
import { allRows, changesAny, oneRow } from '../../data/statements.ts'
import { type Db, inMs, nowInMs, oneRowOf } from '../../database/db.ts'
import { publisherTokenMinutes } from '../../domain/account/token.ts'
import type { Identity, Vouched } from './claims.ts'

type StoredPublisher = typeof publishers.$inferSelect

/** The publishers of a user, the oldest first. */
export async function listPublishers(db: Db, userId: number): Promise<readonly StoredPublisher[]> {
  return await db.readPrimary((queries) =>
    queries.select().from(publishers).where(eq(publishers.userId, userId)).orderBy(asc(publishers.id)),
  )
}

/** A user's publishers of one issuer, the oldest first, and the database's time. */
export async function findPublishers(
  db: Db,
  { username, issuer }: { readonly username: string; readonly issuer: string },
): Promise<{ readonly publishers: readonly StoredPublisher[]; readonly now: Date }> {
  const ofUser = sql`(select id from users where username = ${username})`
  return await db.readPrimary(async (queries) => {
    const [found, { now_ms }] = await Promise.all([
      queries
        .select()
        .from(publishers)
        .where(and(eq(publishers.userId, ofUser), eq(publishers.issuer, issuer)))
        .orderBy(asc(publishers.id)),
      oneRowOf<{ now_ms: number }>(queries, sql`select ${nowInMs} as now_ms`),
    ])
    return { publishers: found, now: new Date(now_ms) }
  })
}

type Exchange = {
  readonly publisherId: number
  readonly identity: Identity
  readonly vouched: Vouched
  readonly jti: string
  readonly forgetAt: Date
}

type Exchanged =
  | { readonly outcome: 'exchanged'; readonly token: string; readonly expiresAt: Date }
  | { readonly outcome: 'used' }
  /** The publisher was removed, or pinned to other ids. */
  | { readonly outcome: 'changed' }

/**
 * Gives a publisher a token, shown only here, for its identity token, which can be used once, and pins the ids behind
 * its names.
 */
export async function exchange(db: Db, of: Exchange): Promise<Exchanged> {
  const token = newToken()
  const { ownerId, repositoryId } = of.identity
  const { release, verifies, verified } = of.vouched
  const { environment, version, commit, actor } = release
  const { isFirst, expiresMs } = await db.write(
    oneRow<{ isFirst: boolean; expiresMs: number | null }>(sql`
      with first as (
        insert into used_jtis (issuer, jti, expires_at) values (${of.vouched.verified.issuer}, ${of.jti}, ${of.forgetAt.toISOString()})
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
        insert into tokens
          (hash, user_id, last_four, expires_at, publisher_id, environment, version, commit, actor, verifies, verified)
        select ${hashSecret(token)}, user_id, ${token.slice(-4)}, now() + make_interval(mins => ${publisherTokenMinutes}), id,
          ${environment ?? null}::text, ${version ?? null}::text, ${commit ?? null}::text, ${actor ?? null}::text,
          ${verifies}::text,
          case when ${verifies}::text is not null
            then array[${verified.issuer}, ${verified.repository}, ${verified.workflow}::text] end
        from pinned
        returning expires_at
      )
      select exists (select from first) as "isFirst", (select ${inMs(sql`expires_at`)} from given) as "expiresMs"`),
  )
  if (!isFirst) return { outcome: 'used' }
  if (expiresMs === null) return { outcome: 'changed' }
  return { outcome: 'exchanged', token, expiresAt: new Date(expiresMs) }
}

/** Ends a token of a publisher. False if no such token works, or a user generated it. */
export async function endPublisherToken(db: Db, tokenHash: string): Promise<boolean> {
  const isIt = and(
    eq(tokens.hash, tokenHash),
    isNotNull(tokens.publisherId),
    sql`${tokens.expiresAt} > now()`,
  )
  return await changesAny(db, (queries) =>
    queries.delete(tokens).where(isIt).returning({ hash: tokens.hash }),
  )
}

/** Deletes expired tokens of publishers and expired ids of identity tokens. */
export async function forgetExchanges(db: Db): Promise<void> {
  await db.write(
    allRows(sql`
      with over as (delete from tokens where publisher_id is not null and expires_at < now())
      delete from used_jtis where expires_at < now()`),
  )
}
