import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { batch } from '../../database/batch.ts'
import type { Db } from '../../database/db.ts'
import { inMs, nowInMs, oneRowOf, rowsOf, texts } from '../../database/sql.ts'
import { publisherTokenMinutes, tokenFrom } from '../../domain/account/token.ts'
import type { User } from '../../domain/account/user.ts'
import type { Identity } from '../../domain/publisher/claims.ts'
import type { Vouched } from '../../domain/publisher/vouched.ts'
import { tokens } from './schema.ts'
import { hashSecret } from './secret.ts'
import { isAccount } from './users.ts'

export type StoredToken = {
  readonly hash: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** Null for the current token. An old token that its owner kept works until then. */
  readonly expiresAt: Date | null
}

/** The condition for a token that a user generated, and not a publisher. */
const isOwn = isNull(tokens.publisherId)

/** The condition for a token that works now. */
export const tokenWorks = sql`(tokens.expires_at is null or tokens.expires_at > statement_timestamp())`

/** The working tokens that a user generated: the current one, then a kept old one. Throws Unavailable. */
export async function listTokens(db: Db, userId: number): Promise<readonly StoredToken[]> {
  return await db.run((queries) =>
    queries
      .select({
        hash: tokens.hash,
        lastFour: tokens.lastFour,
        createdAt: tokens.createdAt,
        lastUsedAt: tokens.lastUsedAt,
        expiresAt: tokens.expiresAt,
      })
      .from(tokens)
      .where(and(eq(tokens.userId, userId), isOwn, tokenWorks))
      .orderBy(sql`${tokens.expiresAt} nulls first`),
  )
}

/** The user whose working token has this hash, and the database's time; null if none works. Throws Unavailable. */
export async function findTokenOwner(
  db: Db,
  tokenHash: string,
): Promise<{ readonly user: User; readonly now: Date } | null> {
  const [row] = await db.run(
    (queries) =>
      rowsOf<User & { readonly now_ms: number }>(
        queries,
        sql`
          select users.id, users.username, users.name, ${nowInMs} as now_ms
          from tokens join users on users.id = tokens.user_id
          where hash = ${tokenHash} and ${tokenWorks} and ${isAccount}`,
      ),
    'shared',
    'nothing',
  )
  if (row === undefined) return null
  const { now_ms, ...user } = row
  return { user, now: new Date(now_ms) }
}

type OwnerQuestion = { readonly tokenHash: string; readonly hashes: readonly string[] }

/** Returns the hashes whose tokens work and have the same owner as the given token. Throws Unavailable. */
export type OwnTokensReader = (question: OwnerQuestion) => Promise<readonly string[]>

export function ownTokensReader(db: Db): OwnTokensReader {
  return batch<OwnerQuestion, readonly string[]>(
    db,
    'tokens',
    (questions) => readOwnTokens(db, questions),
    // Small batches, because a message has room for a hundred tokens.
    { inFlight: 1, batchSize: 50 },
  )
}

async function readOwnTokens(
  db: Db,
  questions: readonly OwnerQuestion[],
): Promise<readonly (readonly string[])[]> {
  const asked = questions.flatMap(({ tokenHash, hashes }) => [tokenHash, ...hashes])
  const rows = await db.run(
    (queries) =>
      queries
        .select({ hash: tokens.hash, userId: tokens.userId, works: sql<boolean>`${tokenWorks}` })
        .from(tokens)
        .where(sql`${tokens.hash} = any(${texts(asked)})`),
    'reserved',
    'nothing',
  )
  const found = new Map(rows.map((row) => [row.hash, row]))
  return questions.map(({ tokenHash, hashes }) =>
    hashes.filter((hash) => {
      const token = found.get(hash)
      return token?.works === true && token.userId === found.get(tokenHash)?.userId
    }),
  )
}

/**
 * The owner of a working token, and whether they generated it or a publisher exchanged it; null without one. Notes
 * that it was used. Throws Unavailable.
 */
export async function useToken(
  db: Db,
  tokenHash: string,
): Promise<{ readonly userId: number; readonly isOwn: boolean } | null> {
  const [owner] = await db.run(
    (queries) =>
      queries
        .update(tokens)
        .set({ lastUsedAt: sql`statement_timestamp()` })
        .where(and(eq(tokens.hash, tokenHash), tokenWorks))
        .returning({ userId: tokens.userId, isOwn: sql<boolean>`${isOwn}` }),
    'shared',
    'nothing',
  )
  return owner ?? null
}

/**
 * Gives a user a new token, which is shown only here; null if the user was deleted in the meantime. The old
 * token stops working at once, or with `keepOld` after `oldTokenHours`. Of concurrent calls, only the last
 * token works. One statement, `roll_token` (drizzle/functions), does all of it. Throws Unavailable.
 */
export async function rollToken(
  db: Db,
  userId: number,
  { keepOld }: { keepOld: boolean },
): Promise<string | null> {
  const token = tokenFrom(crypto.getRandomValues(new Uint8Array(32)))
  const { is_rolled } = await db.run((queries) =>
    oneRowOf<{ is_rolled: boolean }>(
      queries,
      sql`select roll_token(${userId}, ${hashSecret(token)}, ${token.slice(-4)}, ${keepOld}) as is_rolled`,
    ),
  )
  return is_rolled ? token : null
}

type Exchange = {
  readonly publisherId: number
  readonly identity: Identity
  readonly vouched: Vouched
  readonly issuer: string
  /** The id of the identity token. */
  readonly jti: string
  /** When the identity token expires. Its id need not be kept any longer. */
  readonly forgetAt: Date
}

export type Exchanged =
  | { readonly outcome: 'exchanged'; readonly token: string; readonly expiresAt: Date }
  | { readonly outcome: 'used' }
  /** The publisher was removed in the meantime, or pinned to other numbers. */
  | { readonly outcome: 'changed' }

/**
 * Gives a publisher a token for its identity token, and pins the numbers behind its names
 * (docs/decisions.md#publishers). An identity token can be used once: of concurrent calls, exactly one gets a
 * token. It is shown only here. Throws Unavailable.
 */
export async function exchange(db: Db, of: Exchange): Promise<Exchanged> {
  const token = tokenFrom(crypto.getRandomValues(new Uint8Array(32)))
  const { ownerId, repositoryId } = of.identity
  const { release, verifies, verified } = of.vouched
  const { environment, version, commit } = release
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
          insert into tokens
            (hash, user_id, last_four, expires_at, publisher_id, environment, version, commit, verifies, verified)
          select ${hashSecret(token)}, user_id, ${token.slice(-4)}, now() + make_interval(mins => ${publisherTokenMinutes}), id,
            ${environment ?? null}::text, ${version ?? null}::text, ${commit ?? null}::text, ${verifies}::text,
            case when ${verifies}::text is not null
              then array[${verified.issuer}, ${verified.repository}, ${verified.workflow}::text] end
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

/** Ends a token of a publisher. False if no such token works, or a user generated it. Throws Unavailable. */
export async function endPublisherToken(db: Db, tokenHash: string): Promise<boolean> {
  const ended = await db.run((queries) =>
    queries
      .delete(tokens)
      .where(and(eq(tokens.hash, tokenHash), isNotNull(tokens.publisherId), sql`${tokens.expiresAt} > now()`))
      .returning({ hash: tokens.hash }),
  )
  return ended.length > 0
}

/** Deletes expired tokens of publishers and expired ids of identity tokens. Throws Unavailable. */
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
