import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { inMs, nowInMs, oneRowOf, rowsOf } from '../database/sql.ts'
import { tokenWorks } from './account/tokens.ts'

/** What decides whether a token may withdraw a deployment. */
export type WithdrawalCall = {
  /** The owner of the token. */
  readonly userId: number
  readonly isOfPublisher: boolean
  /** Null if there is no such deployment. */
  readonly deployment: { readonly userId: number; readonly deployedAt: Date } | null
  /** The database's time. */
  readonly now: Date
}

type CallRow = {
  readonly user_id: number
  readonly is_of_publisher: boolean
  readonly poster_id: number | null
  readonly deployed_at_ms: number | null
  readonly now_ms: number
}

/** Reads what decides whether a token may withdraw a deployment; null if the token does not work. Throws Unavailable. */
export async function readWithdrawalCall(
  db: Db,
  { tokenHash, id }: { tokenHash: string; id: number | null },
): Promise<WithdrawalCall | null> {
  const [row] = await db.run(
    (queries) =>
      rowsOf<CallRow>(
        queries,
        sql`
          select tokens.user_id, publisher_id is not null as is_of_publisher, deployments.user_id as poster_id,
            ${inMs(sql`deployed_at`)} as deployed_at_ms, ${nowInMs} as now_ms
          from tokens left join deployments on deployments.id = ${id}
          where hash = ${tokenHash} and ${tokenWorks}`,
      ),
    'shared',
    'nothing',
  )
  if (row === undefined) return null
  const { user_id: userId, is_of_publisher: isOfPublisher, poster_id, deployed_at_ms, now_ms } = row
  const deployment =
    poster_id === null || deployed_at_ms === null
      ? null
      : { userId: poster_id, deployedAt: new Date(deployed_at_ms) }
  return { userId, isOfPublisher, deployment, now: new Date(now_ms) }
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
