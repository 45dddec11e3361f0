import { and, eq, sql } from 'drizzle-orm'
import { ringBell } from '../database/bell.ts'
import type { Db, Queries } from '../database/db.ts'
import { lockFeed } from '../database/locks.ts'
import { dayOf } from './counting.ts'
import { deployments } from './schema.ts'

/**
 * Deletes a deployment of its poster, takes it out of all that it counted for, and rings for those who watch.
 * False where the user has no such deployment.
 */
export async function withdrawDeployment(
  db: Db,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  return await db.run((queries) =>
    queries.transaction(async (transaction) => {
      await lockFeed(transaction)
      const [gone] = await transaction
        .delete(deployments)
        .where(and(eq(deployments.id, id), eq(deployments.userId, userId)))
        .returning({
          userId: deployments.userId,
          scopes: deployments.scopes,
          target: deployments.target,
          day: sql<string>`${dayOf(sql`${deployments.deployedAt}`)}::text`,
        })
      if (gone === undefined) return false
      await recountScopes(transaction, gone)
      await recountTarget(transaction, gone)
      await recountDay(transaction, gone)
      await transaction.execute(sql`
        insert into withdrawals (id, deployment_id) values (nextval('deployments_id_seq'), ${id})`)
      await transaction.execute(ringBell)
      return true
    }),
  )
}

/** What a withdrawn deployment counted for. */
type Gone = {
  readonly userId: number
  readonly scopes: readonly string[]
  readonly target: string | null
  readonly day: string
}

async function recountScopes(transaction: Queries, gone: Gone): Promise<void> {
  const scopes = sql`jsonb_array_elements_text(${JSON.stringify(gone.scopes)}::jsonb)`
  await transaction.execute(sql`
    delete from latest_deployments where user_id = ${gone.userId} and scope in (select ${scopes})`)
  await transaction.execute(sql`
    insert into latest_deployments (user_id, scope, deployed_at)
    select ${gone.userId}, s.scope, d.deployed_at
    from (select ${scopes} as scope) s
    cross join lateral (
      select deployed_at from deployments
      where user_id = ${gone.userId} and s.scope = any(scopes) order by id desc limit 1
    ) d`)
}

async function recountTarget(transaction: Queries, { userId, target }: Gone): Promise<void> {
  if (target === null) return
  await transaction.execute(sql`delete from targets where user_id = ${userId} and target = ${target}`)
  await transaction.execute(sql`
    insert into targets (user_id, target, deployed_at)
    select user_id, target, deployed_at from deployments
    where user_id = ${userId} and target = ${target} order by id desc limit 1`)
}

async function recountDay(transaction: Queries, { userId, day }: Gone): Promise<void> {
  await transaction.execute(sql`
    update daily_deployments set deployments = deployments - 1 where user_id = ${userId} and day = ${day}::date`)
  await transaction.execute(sql`
    delete from daily_deployments where user_id = ${userId} and day = ${day}::date and deployments < 1`)
}
