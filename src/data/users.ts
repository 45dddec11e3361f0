import { eq } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { isDuplicate } from '../database/errors.ts'
import type { User } from '../domain/user.ts'
import { users } from './schema.ts'

const publicColumns = { id: users.id, username: users.username, name: users.name }

/** Creates an account, or gives null if the username is taken; the unique index decides a race. */
export async function createUser(
  db: Db,
  account: { username: string; name: string; passwordHash: string },
): Promise<User | null> {
  try {
    const [user] = await db.run((queries) => queries.insert(users).values(account).returning(publicColumns))
    return user ?? null
  } catch (error) {
    if (isDuplicate(error)) return null
    throw error
  }
}

/** The user of a profile and when they joined, or null if there is none. */
export async function findUser(db: Db, username: string): Promise<{ user: User; since: Date } | null> {
  const [row] = await db.run((queries) =>
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

/** Deletes an account and, by the foreign keys, all that belongs to it. */
export async function deleteUser(db: Db, userId: number): Promise<void> {
  await db.run((queries) => queries.delete(users).where(eq(users.id, userId)))
}
