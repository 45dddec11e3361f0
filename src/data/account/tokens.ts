import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { oneRowOf } from '../../database/sql.ts'
import { tokenFrom } from '../../domain/account/token.ts'
import { tokens } from './schema.ts'
import { hashSecret } from './secret.ts'

export type Token = {
  readonly hash: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** Null for the current token; until then, for an old one that its owner kept. */
  readonly expiresAt: Date | null
}

/** The condition for those that are no publisher's, which come and go by themselves: see exchange.ts. */
const isOwn = isNull(tokens.publisherId)

/** The condition on the table of tokens for those that work now. */
export const tokenWorks = sql`(tokens.expires_at is null or tokens.expires_at > statement_timestamp())`

/** The working tokens that a user generated: the current one first, then an old one that was kept. */
export async function listTokens(db: Db, userId: number): Promise<readonly Token[]> {
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

/** Those of these hashes whose tokens work and have the same owner as the given one. */
export async function findTokensOfOwner(
  db: Db,
  tokenHash: string,
  hashes: readonly string[],
): Promise<readonly string[]> {
  const owner = sql`(select user_id from tokens where hash = ${tokenHash})`
  const found = await db.run((queries) =>
    queries
      .select({ hash: tokens.hash })
      .from(tokens)
      .where(and(inArray(tokens.hash, [...hashes]), eq(tokens.userId, owner), tokenWorks)),
  )
  return found.map(({ hash }) => hash)
}

/**
 * Gives a user a new token and returns it; it is never seen again. The old one stops working at once, or with
 * `keepOld` after 24 hours. Parallel rolls run one after another, and only the last token works. Null if the
 * user was deleted meanwhile. One statement: a function of the database (drizzle/0019_one_round_trip.sql).
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
