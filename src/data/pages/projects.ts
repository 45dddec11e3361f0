import { sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { inMs, nowInMs, oneRowOf } from '../../database/sql.ts'
import { wholeFeed } from '../../domain/feed.ts'
import type { Overview } from '../../domain/overview.ts'
import { daysInOverview } from '../../domain/overview.ts'
import { utcDay } from '../counting.ts'
import { maxCovered, newestOf, oldestOf } from '../feed-part.ts'
import type { OverviewRow } from './profiles.ts'
import { newestInOverview, overviewFrom } from './profiles.ts'

/** A scope of a user that is not too broad: see `isTooBroad` in feed-part.ts. */
export type ProjectQuestion = { readonly userId: number; readonly scope: string }

/**
 * Reads the overview of a project or host of a user, like that of a profile; its `targets` are those below
 * it. This walks an index for each target that the scope covers. Throws Unavailable.
 */
export async function readProject(db: Db, { userId, scope }: ProjectQuestion): Promise<Overview> {
  const ofTarget = sql`user_id = ${userId} and target = covered.target`
  const today = utcDay(sql`statement_timestamp()`)
  const milliseconds = inMs(sql`deployed_at`)
  const row = await db.read((queries) =>
    oneRowOf<OverviewRow & { now_ms: number }>(
      queries,
      sql`
        with covered as materialized (
          select target from target_scopes where user_id = ${userId} and scope = ${scope} limit ${maxCovered}
        )
        select days.*, first.*, announced.*, recent.*, targets.*, ${nowInMs} as now_ms
        from (
          select json_agg(day - date '1970-01-01' order by day) as days, json_agg(n order by day) as counts from (
            select day, sum(deployments) as n
            from covered cross join lateral (
              select day, deployments from target_days
              where ${ofTarget} and day > ${today} - ${daysInOverview}::int order by user_id, target, day
            ) d
            group by day
          ) d
        ) days, (
          select min(day) - date '1970-01-01' as first_day
          from covered cross join lateral (
            select day from target_days where ${ofTarget} order by user_id, target, day limit 1
          ) d
        ) first, (
          select (
            select ${utcDay(sql`deployed_at`)} - date '1970-01-01'
            from (${oldestOf({ ...wholeFeed, userId, scope }, { after: 0 }, 1)}) d
          ) as first_announced_day
        ) announced, (
          select json_agg(${milliseconds} order by id desc) as recent_ms from (
            select id, deployed_at from (${newestOf({ ...wholeFeed, userId, scope }, {}, newestInOverview)}) d
          ) d
        ) recent, (
          select json_agg(target) as targets, json_agg(${milliseconds}) as targets_ms from (
            select target, deployed_at
            from covered cross join lateral (
              select deployed_at from targets where ${ofTarget} limit 1
            ) t
            where target <> ${scope} order by deployed_at desc limit ${newestInOverview}
          ) t
        ) targets`,
    ),
  )
  return overviewFrom(row, new Date(row.now_ms))
}

/** Whether any deployment of a user counts for a scope. Throws Unavailable. */
export async function isDeployedTo(db: Db, { userId, scope }: ProjectQuestion): Promise<boolean> {
  const { found } = await db.read((queries) =>
    oneRowOf<{ found: boolean }>(
      queries,
      sql`select exists (select from target_scopes where user_id = ${userId} and scope = ${scope}) as found`,
    ),
  )
  return found
}
