import { sql } from 'drizzle-orm'
import type { WordSearch } from '../../src/capabilities/search/search.ts'
import type { Db } from '../../src/database/db.ts'
import { wholeFeed } from '../../src/domain/feed/feed.ts'
import { query } from './database.ts'

/** A search that asks for nothing yet. */
export const noSearch: WordSearch = {
  ...wholeFeed,
  words: [],
  phrases: [],
  without: { words: [], phrases: [] },
}

export type StoredDeployment = {
  readonly id: number
  readonly message: string
  readonly url: string | null
  readonly category: string | null
  readonly deployed_at_ms: number
}

/** What the database holds of a user, oldest first; messages to the byte. */
export async function storedDeployments(db: Db, username: string): Promise<readonly StoredDeployment[]> {
  const rows = await query<StoredDeployment>(
    db,
    sql`
      select d.id::float8 as id, encode(convert_to(message, 'UTF8'), 'hex') as message, url, category,
        (extract(epoch from deployed_at) * 1000)::float8 as deployed_at_ms
      from deployments d join users u on u.id = d.user_id
      where u.username = ${username} order by d.id`,
  )
  return rows.map((row) => ({ ...row, message: Buffer.from(row.message, 'hex').toString() }))
}

/** Lets some seconds go by for what a user deployed. */
export async function ageDeployments(db: Db, username: string, seconds: number): Promise<void> {
  await query(
    db,
    sql`
      update deployments set deployed_at = deployed_at - make_interval(secs => ${seconds}::float8)
      where user_id = (select id from users where username = ${username})`,
  )
}

/** The id of a user; throws where there is none. */
export async function userIdOf(db: Db, { username }: { readonly username: string }): Promise<number> {
  const [row] = await query<{ id: number }>(
    db,
    sql`select id::int as id from users where username = ${username}`,
  )
  if (row === undefined) throw new Error(`There is no user "${username}"`)
  return row.id
}
