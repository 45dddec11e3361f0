import { eq, sql, TransactionRollbackError } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { isDuplicate } from '../../database/errors.ts'
import type { User } from '../../domain/account/user.ts'
import { retiredUsernames, users } from './schema.ts'

/** Holds for users whose account is not being deleted: see deletion.ts. */
export const isAccount = sql`left(${users.username}, 1) <> '~'`

const publicColumns = { id: users.id, username: users.username, name: users.name }

/**
 * Creates an account, or gives null where the username is taken or was an account's that is deleted: the
 * unique index decides a race. Looked at after it: an account may be deleted while the index makes this wait.
 */
export async function createUser(
  db: Db,
  account: { username: string; name: string; passwordHash: string },
): Promise<User | null> {
  try {
    return await db.run((queries) =>
      queries.transaction(async (transaction) => {
        const [user] = await transaction
          .insert(users)
          .values({ ...account, showsChecklist: true })
          .returning(publicColumns)
        const [retired] = await transaction
          .select()
          .from(retiredUsernames)
          .where(eq(retiredUsernames.username, account.username))
        if (retired !== undefined) transaction.rollback()
        return user ?? null
      }),
    )
  } catch (error) {
    if (isDuplicate(error) || error instanceof TransactionRollbackError) return null
    throw error
  }
}

/** Whether an account of this username was deleted. */
export async function isRetired(db: Db, username: string): Promise<boolean> {
  const [found] = await db.read((queries) =>
    queries
      .select({ username: retiredUsernames.username })
      .from(retiredUsernames)
      .where(eq(retiredUsernames.username, username)),
  )
  return found !== undefined
}

/** The user of a profile and when they joined, or null if there is none. */
export async function findUser(db: Db, username: string): Promise<{ user: User; since: Date } | null> {
  const [row] = await db.read((queries) =>
    queries
      .select({ user: publicColumns, since: users.createdAt })
      .from(users)
      .where(eq(users.username, username)),
  )
  return row ?? null
}

export async function renameUser(db: Db, userId: number, name: string): Promise<void> {
  await db.run((queries) => queries.update(users).set({ name }).where(eq(users.id, userId)))
}
