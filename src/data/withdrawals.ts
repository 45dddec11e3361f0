import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { oneRowOf } from '../database/sql.ts'

/**
 * Deletes a deployment of its poster, takes it out of everything that it counted for, and rings the bell. False
 * if the user has no such deployment. One statement, which commits by itself: all of it is a function of the
 * database (drizzle/0019_one_round_trip.sql).
 */
export async function withdrawDeployment(
  db: Db,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  const { is_withdrawn } = await db.run((queries) =>
    oneRowOf<{ is_withdrawn: boolean }>(
      queries,
      sql`select withdraw_deployment(${userId}, ${id}) as is_withdrawn`,
    ),
  )
  return is_withdrawn
}
