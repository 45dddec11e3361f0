import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { oneRowOf } from '../../database/sql.ts'
import { tokenFrom } from '../../domain/account/token.ts'
import { tokens } from './schema.ts'
import { hashSecret } from './secret.ts'
import { tokenWorks } from './tokens.ts'

const { userId: _, publisherId: __, ...columns } = getTableColumns(tokens)

export type StoredToken = Omit<typeof tokens.$inferSelect, 'userId' | 'publisherId'>

/**
 * The tokens that a user generated, by name; each is followed by the one that was rolled and kept, if that still works.
 * A token whose last day is over stays until its owner ends it. Throws Unavailable.
 */
export async function listTokens(db: Db, userId: number): Promise<readonly StoredToken[]> {
  return await db.run((queries) =>
    queries
      .select(columns)
      .from(tokens)
      .where(
        and(
          eq(tokens.userId, userId),
          isNull(tokens.publisherId),
          sql`(${tokens.endsOn} is not null or ${tokenWorks})`,
        ),
      )
      .orderBy(sql`${tokens.name} collate "C", ${isRolledColumn}`),
  )
}

const isRolledColumn = sql`(${tokens.expiresAt} is not null and ${tokens.endsOn} is null)`

/** Whether a token was rolled, and works only because its owner kept it for a while. */
export function isRolled({ expiresAt, endsOn }: Pick<StoredToken, 'expiresAt' | 'endsOn'>): boolean {
  return expiresAt !== null && endsOn === null
}

/**
 * Gives a user a new default token, which is shown only here; null if the user was deleted in the meantime. The
 * old token stops working at once, or with `keepOld` after `oldTokenHours`. Of concurrent calls, only the last
 * token works. One statement, `roll_token` (drizzle/functions), does all of it. Throws Unavailable.
 */
export async function rollToken(
  db: Db,
  userId: number,
  { keepOld }: { keepOld: boolean },
): Promise<string | null> {
  const token = newToken()
  const { is_rolled } = await db.run((queries) =>
    oneRowOf<{ is_rolled: boolean }>(
      queries,
      sql`select roll_token(${userId}, ${hashSecret(token)}, ${token.slice(-4)}, ${keepOld}) as is_rolled`,
    ),
  )
  return is_rolled ? token : null
}

function newToken(): string {
  return tokenFrom(crypto.getRandomValues(new Uint8Array(32)))
}
