import { sql } from 'drizzle-orm'
import { users } from '../../data/account/tables.ts'
import { publicColumns } from '../../data/account/users.ts'
import { batch } from '../../database/batch.ts'
import { type Db, type Queries, texts } from '../../database/db.ts'
import type { User } from '../../domain/account/user.ts'

/** Makes the function that finds the user whom a proxy signs in. */
export function namedUserReader(db: Db): (username: string) => Promise<User | null> {
  const findNamed = async (usernames: readonly string[]) => {
    const isAsked = sql`${users.username} = any(${texts(usernames)})`
    const read = (queries: Queries) => queries.select(publicColumns).from(users).where(isAsked)
    const found = new Map((await db.readPrimary(read, 'reserved')).map((user) => [user.username, user]))
    return usernames.map((username) => found.get(username) ?? null)
  }
  return batch(db, 'named_users', findNamed, { inFlight: 2, batchSize: 500 })
}
