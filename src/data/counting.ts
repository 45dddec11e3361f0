import { type SQL, sql } from 'drizzle-orm'
import { targetRule } from '../domain/target.ts'

/**
 * Selects from a relation of deployments, with `id`, `user_id` and `deployed_at`, and counts each row for its
 * scopes, its target and its day. None of them may have been counted before. What a deployment counts for is
 * defined once, by the functions count_scopes, count_days and count_target_day in drizzle/functions.
 */
export function counting(relation: SQL): SQL {
  return sql`
    select ${countScopes(sql`array_agg(id)`)}, count_days(array_agg(user_id), array_agg(deployed_at), 1)
    from ${relation} as counted`
}

/** Counts the deployments with these ids for their scopes and targets. Repeating this changes nothing. */
export function countScopes(ids: SQL): SQL {
  // The rule is a literal and not a parameter, because the benchmarks run this as text.
  return sql`count_scopes(${ids}, ${sql.raw(String(targetRule))}::smallint)`
}

/** The UTC day that an instant counts for. */
export function utcDay(instant: SQL): SQL {
  return sql`utc_day(${instant})`
}
