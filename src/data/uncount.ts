import { sql } from 'drizzle-orm'
import type { Queries } from '../database/db.ts'
import { deployments } from './schema.ts'

/** What a withdrawn deployment counted for. */
export const uncountedColumns = {
  userId: deployments.userId,
  scopes: deployments.scopes,
  target: deployments.target,
  day: sql<string>`(${deployments.deployedAt} at time zone 'UTC')::date::text`,
}

type Gone = { userId: number; scopes: readonly string[]; target: string | null; day: string }

/** Sets what a deployment that is gone counted for back to the one before; under lockFeed. */
export async function uncount(transaction: Queries, { userId, scopes, target, day }: Gone): Promise<void> {
  await uncountScopes(transaction, userId, scopes)
  if (target !== null) await uncountTarget(transaction, userId, target)
  await transaction.execute(sql`
    update daily_deployments set deployments = deployments - 1 where user_id = ${userId} and day = ${day}::date`)
  await transaction.execute(sql`
    delete from daily_deployments where user_id = ${userId} and day = ${day}::date and deployments < 1`)
}

async function uncountScopes(
  transaction: Queries,
  userId: number,
  goneScopes: readonly string[],
): Promise<void> {
  const scopes = sql`jsonb_array_elements_text(${JSON.stringify(goneScopes)}::jsonb)`
  await transaction.execute(sql`
    delete from latest_deployments where user_id = ${userId} and scope in (select ${scopes})`)
  await transaction.execute(sql`
    insert into latest_deployments (user_id, scope, deployed_at)
    select ${userId}, s.scope, d.deployed_at
    from (select ${scopes} as scope) s
    cross join lateral (
      select deployed_at from deployments
      where user_id = ${userId} and s.scope = any(scopes) order by id desc limit 1
    ) d`)
}

async function uncountTarget(transaction: Queries, userId: number, target: string): Promise<void> {
  await transaction.execute(sql`delete from targets where user_id = ${userId} and target = ${target}`)
  await transaction.execute(sql`
    insert into targets (user_id, target, deployed_at)
    select user_id, target, deployed_at from deployments
    where user_id = ${userId} and target = ${target} order by id desc limit 1`)
}
