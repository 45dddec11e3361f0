import { sql } from 'drizzle-orm'
import { type Db, inMs } from '../database/db.ts'
import type { Bounded } from '../domain/account/token-rights.ts'
import { allRows, oneRow } from './statements.ts'

/** What decides whether a deployment may be withdrawn by a token. */
export type Withdrawable = Bounded & { readonly userId: number; readonly deployedAt: Date }

type WithdrawableRow = {
  readonly user_id: number
  readonly deployed_at_ms: number
  readonly scopes: readonly string[]
  readonly environment: string | null
}

/** What decides whether a deployment may be withdrawn; null if there is no such deployment. Throws Unavailable. */
export async function findWithdrawable(db: Db, id: number): Promise<Withdrawable | null> {
  const [row] = await db.run(
    allRows<WithdrawableRow>(sql`
      select user_id, ${inMs(sql`deployed_at`)} as deployed_at_ms, to_json(scopes) as scopes, environment
      from deployments where id = ${id}`),
    'shared',
    'nothing',
  )
  if (row === undefined) return null
  const { user_id: userId, deployed_at_ms, scopes, environment } = row
  return { userId, deployedAt: new Date(deployed_at_ms), scopes, environment }
}

/**
 * Deletes a deployment of its poster, takes it out of everything that it counted for, and rings the bell unless it
 * is from history. False if the user has no such deployment. One statement does all of it and commits by itself: a
 * call of drizzle/functions/withdraw_deployment.sql.
 */
export async function withdrawDeployment(
  db: Db,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  const { is_withdrawn } = await db.run(
    oneRow<{ is_withdrawn: boolean }>(sql`select withdraw_deployment(${userId}, ${id}) as is_withdrawn`),
  )
  return is_withdrawn
}
