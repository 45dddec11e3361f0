import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { inMs, oneRowOf, rowsOf } from '../database/sql.ts'

/** What decides whether a deployment may be withdrawn by a token. */
export type Withdrawable = { readonly userId: number; readonly deployedAt: Date }

type WithdrawableRow = { readonly user_id: number; readonly deployed_at_ms: number }

/** Reads what decides whether a deployment may be withdrawn; null if there is no such deployment. Throws Unavailable. */
export async function findWithdrawable(db: Db, id: number): Promise<Withdrawable | null> {
  const [row] = await db.run(
    (queries) =>
      rowsOf<WithdrawableRow>(
        queries,
        sql`select user_id, ${inMs(sql`deployed_at`)} as deployed_at_ms from deployments where id = ${id}`,
      ),
    'shared',
    'nothing',
  )
  return row === undefined ? null : { userId: row.user_id, deployedAt: new Date(row.deployed_at_ms) }
}

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
