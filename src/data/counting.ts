import { type SQL, sql } from 'drizzle-orm'
import { targetRule } from '../domain/target.ts'

/**
 * The one definition of what deployments count for. Takes a relation of uncounted deployments, with
 * `user_id`, `scopes`, `target` and `deployed_at`, and gives the statements that count them, in order: the
 * latest of each scope, the scopes of new targets, the latest of each target, and the number of each day.
 */
export function counting(relation: SQL): { latest: SQL; targetScopes: SQL; targets: SQL; days: SQL } {
  return {
    latest: sql`
      insert into latest_deployments (user_id, scope, deployed_at, target_rule)
      select user_id, scope, max(deployed_at), ${rule}
      from ${relation} as counted cross join lateral unnest(scopes) as scope group by 1, 2
      on conflict (user_id, scope) do update set
        deployed_at = greatest(latest_deployments.deployed_at, excluded.deployed_at), target_rule = ${rule}`,
    targetScopes: sql`
      insert into target_scopes (user_id, scope, target)
      select distinct user_id, scope, target
      from ${relation} as counted cross join lateral unnest(scopes) as scope
      where target is not null and scope <> '' and not exists (
        select from targets t
        where t.user_id = counted.user_id and t.target = counted.target and t.target_rule = ${rule}
        -- Makes it a probe for each row, and never a join with all targets.
        offset 0
      )
      on conflict do nothing`,
    targets: sql`
      insert into targets (user_id, target, deployed_at, target_rule)
      select user_id, target, max(deployed_at), ${rule} from ${relation} as counted where target is not null group by 1, 2
      on conflict (user_id, target) do update set
        deployed_at = greatest(targets.deployed_at, excluded.deployed_at), target_rule = ${rule}`,
    days: sql`
      insert into daily_deployments (user_id, day, deployments)
      select user_id, ${dayOf(sql`deployed_at`)}, count(*) from ${relation} as counted group by 1, 2
      on conflict (user_id, day)
        do update set deployments = daily_deployments.deployments + excluded.deployments`,
  }
}

/** Written out and not a parameter, because the benchmarks run these statements as text. */
const rule = sql.raw(String(targetRule))

/** The UTC day that an instant counts for. */
export function dayOf(instant: SQL): SQL {
  return sql`(${instant} at time zone 'UTC')::date`
}
