import { and, ne, not, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { defaultToken, maxTokens } from '../../domain/account/token.ts'
import type { NewToken } from '../../domain/account/token-rights.ts'
import { allRows, changesAny, oneValue } from '../statements.ts'
import { type Added, addOwned, type Owned } from './owned.ts'
import { tokens } from './tables.ts'
import { hashSecret, newToken, tokenWorks } from './tokens.ts'

export type StoredToken = typeof tokens.$inferSelect

/** The tokens that a user generated, by name, each followed by its old one, if that still works. */
export async function listTokens(db: Db, userId: number): Promise<readonly StoredToken[]> {
  return await db.readPrimary((queries) =>
    queries
      .select()
      .from(tokens)
      .where(and(isOfOwner(userId), sql`(${tokens.endsOn} is not null or ${tokenWorks})`))
      .orderBy(sql`${tokens.name} collate "C", ${isRolledColumn}`),
  )
}

/** Without those of publishers. */
function isOfOwner(userId: number): SQL {
  return sql`(${tokens.userId} = ${userId} and ${tokens.publisherId} is null)`
}

const isRolledColumn = sql`(${tokens.expiresAt} is not null and ${tokens.endsOn} is null)`

/** Whether a token was rolled and kept for a while. */
export function isRolled(token: StoredToken): token is StoredToken & { expiresAt: Date } {
  return token.expiresAt !== null && token.endsOn === null
}

/**
 * Gives a user a new default token, shown only here; null if the user was deleted. With `keepOld`, the old one works
 * for `oldTokenHours` more.
 */
export async function rollToken(
  db: Db,
  userId: number,
  { keepOld }: { keepOld: boolean },
): Promise<string | null> {
  const token = newToken()
  const roll = sql`select roll_token(${userId}, ${hashSecret(token)}, ${token.slice(-4)}, ${keepOld}) as is_rolled`
  return (await db.write(oneValue<boolean>(roll))) ? token : null
}

/**
 * Gives a user another token, shown only here. One place is reserved for the default token, so that it can always be
 * generated. `known`: there is one of this name; `gone`: the user was deleted.
 */
export async function addToken(
  db: Db,
  userId: number,
  { name, may, targets, environments, endsOn }: NewToken,
): Promise<Added<string>> {
  const token = newToken()
  const values = {
    ...{ userId, hash: hashSecret(token), lastFour: token.slice(-4) },
    ...{ name, may, targets, environments, endsOn },
    expiresAt: sql`(${endsOn}::date + 1)::timestamp at time zone 'UTC'`,
  }
  const others = and(isOfOwner(userId), not(isRolledColumn), ne(tokens.name, defaultToken))
  const max = name === defaultToken ? maxTokens : maxTokens - 1
  const added = await addOwned(db, tokens, values, { max, counted: others })
  return added.outcome === 'added' ? { outcome: 'added', row: token } : added
}

/** Rolls a token as rollToken does, with this last day or none. Null if there is no such token. */
export async function renewToken(
  db: Db,
  { userId, id }: Owned,
  { keepOld, endsOn }: { keepOld: boolean; endsOn: string | null },
): Promise<string | null> {
  const token = newToken()
  const renew = sql`
    select renew_token(
      ${userId}, ${id}, ${hashSecret(token)}, ${token.slice(-4)}, ${keepOld}, ${endsOn}::date
    ) as is_rolled`
  return (await db.write(oneValue<boolean>(renew))) ? token : null
}

/** Ends a token that a user generated, and its old one; by the id of the old one, only that. False if there is none. */
export async function endToken(db: Db, { userId, id }: Owned): Promise<boolean> {
  return await changesAny(
    db,
    allRows(sql`
      with chosen as (select id, name, ${isRolledColumn} as is_rolled from tokens where ${isOfOwner(userId)} and id = ${id})
      delete from tokens using chosen
      where ${isOfOwner(userId)}
        and (tokens.id = chosen.id or not chosen.is_rolled and tokens.name = chosen.name)
      returning 1`),
  )
}
