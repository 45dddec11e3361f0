import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { allRows } from './statements.ts'

const mostOffered = 100

/** The last targets of a user, which forms offer. */
export async function lastTargets(db: Db, userId: number): Promise<readonly string[]> {
  const rows = await db.read(
    allRows<{ target: string }>(sql`
      select target from targets where user_id = ${userId}
      order by user_id desc, deployed_at desc limit ${mostOffered}`),
  )
  return rows.map(({ target }) => target)
}
