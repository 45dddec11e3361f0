import { type SQL, sql } from 'drizzle-orm'
import { inMs } from '../database/sql.ts'
import { daysInOverview, type Overview } from '../domain/overview.ts'
import { newestOfUser } from './feed-part.ts'

/** How many instants and targets an overview holds. */
export const newestInOverview = 100

/** The columns of an overview; a list is null where it is empty. */
export type OverviewRow = {
  readonly days: readonly number[] | null
  readonly counts: readonly number[] | null
  /** Null where nothing was deployed. */
  readonly first_day: number | null
  readonly recent_ms: readonly number[] | null
  readonly targets: readonly string[] | null
  readonly targets_ms: readonly number[] | null
}

const milliseconds = inMs(sql`deployed_at`)

/**
 * The relation of one row with these columns, for the user whose id is given: each part is a walk of its
 * index. Two lists of plain values are written and read in a third of the time of one list of pairs.
 */
export function overviewOf(userId: SQL): SQL {
  return sql`
    select days.*, first.*, recent.*, targets.*
    from (
      select json_agg(day - date '1970-01-01') as days, json_agg(deployments) as counts from (
        select day, deployments from daily_deployments
        where user_id = ${userId}
          and day > (statement_timestamp() at time zone 'UTC')::date - ${daysInOverview}::int
        order by user_id, day
      ) d
    ) days, (
      select (
        select day - date '1970-01-01' from daily_deployments where user_id = ${userId} order by user_id, day limit 1
      ) as first_day
    ) first, (
      select json_agg(${milliseconds}) as recent_ms from (${newestOfUser(userId, newestInOverview, sql`deployed_at`)}) d
    ) recent, (
      select json_agg(target) as targets, json_agg(${milliseconds}) as targets_ms from (
        select target, deployed_at from targets
        where user_id = ${userId} order by user_id desc, deployed_at desc limit ${newestInOverview}
      ) t
    ) targets`
}

/** The overview of such a row at an instant. */
export function overviewIn(row: OverviewRow, now: Date): Overview {
  const { days, counts, first_day, recent_ms, targets, targets_ms } = row
  return {
    days: (days ?? []).map((day, n) => ({ day, deployments: counts?.[n] ?? 0 })),
    firstDay: first_day,
    recent: (recent_ms ?? []).map((instant) => new Date(instant)),
    targets: (targets ?? []).map((target, n) => ({ target, deployedAt: new Date(targets_ms?.[n] ?? 0) })),
    now,
  }
}
