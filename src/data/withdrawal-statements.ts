import { type SQL, sql } from 'drizzle-orm'
import { ringBell } from '../database/bell.ts'
import type { Queries } from '../database/db.ts'
import { rowsOf } from '../database/sql.ts'
import { dayOf } from './counting.ts'

/** Instants are texts here, because a Date holds milliseconds and Postgres compares microseconds. */
type Withdrawal = {
  readonly id: number
  readonly userId: number
  readonly deployedAt: string
  readonly target: string | null
  /** The previous deployment of the target, null if there was none; likewise for each scope. */
  readonly olderOfTarget: string | null
  readonly olderOfScopes: readonly OlderOfScope[]
}

type OlderOfScope = { readonly scope: string; readonly deployed_at: string | null }

type Row = {
  deployed_at: string
  target: string | null
  older_of_target: string | null
  older_of_scopes: readonly OlderOfScope[]
}

/**
 * Finds a deployment of a user and what it hides: the deployments before it that will count in its place. Null
 * if the user has no such deployment. Takes no lock.
 */
export async function findWithdrawal(
  transaction: Queries,
  { userId, id }: { userId: number; id: number },
): Promise<Withdrawal | null> {
  const [row] = await rowsOf<Row>(
    transaction,
    sql`
      with gone as (select * from deployments where id = ${id} and user_id = ${userId}),
      older_of_target as (
        select (
          select deployed_at from deployments
          where user_id = ${userId} and target = gone.target and id <> gone.id order by id desc limit 1
        ) as older
        from gone
      )
      select gone.deployed_at::text, gone.target, older_of_target.older::text as older_of_target,
        (
          select coalesce(json_agg(json_build_object('scope', scope, 'deployed_at', older::text)), '[]') from (
            select '' as scope, (
              select deployed_at from deployments where user_id = ${userId} and id <> gone.id order by id desc limit 1
            ) as older
            union all
            select scope, greatest(older_of_target.older, ${latestOfOthers(userId)})
            from unnest(gone.scopes) as of_gone(scope)
            where scope <> '' and exists (
              select from latest_deployments l
              where l.user_id = ${userId} and l.scope = of_gone.scope and l.deployed_at <= gone.deployed_at
            )
          ) o
        ) as older_of_scopes
      from gone cross join older_of_target`,
  )
  return row === undefined
    ? null
    : {
        id,
        userId,
        deployedAt: row.deployed_at,
        target: row.target,
        olderOfTarget: row.older_of_target,
        olderOfScopes: row.older_of_scopes,
      }
}

/**
 * When the other targets of a scope were last deployed to. If they are few, all are probed; if they are many,
 * the user's targets are walked from the latest on, since one of many is soon found.
 */
function latestOfOthers(userId: number): SQL {
  const isOther = sql`
    s.user_id = ${userId} and s.scope = of_gone.scope and s.target is distinct from gone.target`
  const few = sql`(select target from target_scopes s where ${isOther} limit ${fewTargets + 1}) few`
  // Lateral and limited: a probe for each, however many Postgres expects.
  return sql`case
    when (select count(*) from ${few}) <= ${fewTargets} then (
      select max(deployed_at)
      from ${few} cross join lateral (
        select deployed_at from targets where user_id = ${userId} and target = few.target limit 1
      ) t
    )
    else (
      select deployed_at
      from targets t cross join lateral (
        select from target_scopes s where ${isOther} and s.target = t.target limit 1
      ) s
      where user_id = ${userId} order by deployed_at desc limit 1
    )
  end`
}

const fewTargets = 200

/** The statement under the lock, which only probes. Whatever was counted since is newer, and stays. */
export function withdrawStatement(withdrawal: Withdrawal): SQL {
  const { id, userId, deployedAt, target, olderOfTarget, olderOfScopes } = withdrawal
  const instant = sql`${deployedAt}::timestamptz`
  const day = sql`user_id = ${userId} and day = ${dayOf(instant)}`
  return sql`
    with older as (
      select scope, deployed_at::timestamptz as deployed_at
      from json_to_recordset(${JSON.stringify(olderOfScopes)}::json) as o(scope text, deployed_at text)
    ),
    gone as (delete from deployments where id = ${id} returning scopes),
    older_scope as (
      update latest_deployments l set deployed_at = older.deployed_at from older
      where l.user_id = ${userId} and l.scope = older.scope and l.deployed_at <= ${instant}
        and older.deployed_at is not null
    ),
    no_scope as (
      delete from latest_deployments l using older
      where l.user_id = ${userId} and l.scope = older.scope and l.deployed_at <= ${instant}
        and older.deployed_at is null
    ),
    older_target as (
      update targets set deployed_at = ${olderOfTarget}::timestamptz
      where user_id = ${userId} and target = ${target} and deployed_at <= ${instant}
        and ${olderOfTarget}::text is not null
    ),
    no_target as (
      delete from targets
      where user_id = ${userId} and target = ${target} and deployed_at <= ${instant}
        and ${olderOfTarget}::text is null
      returning target
    ),
    no_target_scope as (
      delete from target_scopes s using no_target, gone
      where s.user_id = ${userId} and s.scope = any(gone.scopes) and s.target = no_target.target
    ),
    less_a_day as (update daily_deployments set deployments = deployments - 1 where ${day} and deployments > 1),
    no_day as (delete from daily_deployments where ${day} and deployments <= 1),
    event as (
      insert into withdrawals (id, deployment_id, user_id, deployed_at)
      values (nextval('deployments_id_seq'), ${id}, ${userId}, ${instant})
    )
    ${ringBell}`
}
