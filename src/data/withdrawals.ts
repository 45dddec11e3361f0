import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { oneRowOf } from '../database/sql.ts'

/**
 * Deletes a deployment of its poster, takes it out of everything that it counted for, and rings the bell.
 * False if the user has no such deployment. One statement does all of it and commits by itself: a call of
 * drizzle/functions/withdraw_deployment.sql.
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
