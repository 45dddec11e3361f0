import { type SQL, sql } from 'drizzle-orm'

/**
 * The one definition of what deployments count for. Takes a relation of deployments that are not counted yet,
 * with their `user_id`, `scopes`, `target` and `deployed_at`, and gives the statements that count them:
 * the latest of each scope, the latest of each target, and how many each day saw.
 */
export function counting(relation: SQL): { latest: SQL; targets: SQL; days: SQL } {
  return {
    latest: sql`
      insert into latest_deployments (user_id, scope, deployed_at)
      select user_id, scope, max(deployed_at)
      from ${relation} cross join lateral unnest(scopes) as scope group by 1, 2
      on conflict (user_id, scope) do update set deployed_at = excluded.deployed_at`,
    targets: sql`
      insert into targets (user_id, target, deployed_at)
      select user_id, target, max(deployed_at) from ${relation} where target is not null group by 1, 2
      on conflict (user_id, target) do update set deployed_at = excluded.deployed_at`,
    days: sql`
      insert into daily_deployments (user_id, day, deployments)
      select user_id, ${dayOf(sql`deployed_at`)}, count(*) from ${relation} group by 1, 2
      on conflict (user_id, day)
        do update set deployments = daily_deployments.deployments + excluded.deployments`,
  }
}

/** The day in UTC that an instant counts for. */
export function dayOf(instant: SQL): SQL {
  return sql`(${instant} at time zone 'UTC')::date`
}
