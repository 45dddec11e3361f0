import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { inMs, nowInMs, oneRowOf } from '../database/sql.ts'
import { daysInOverview, maxTargetCount, type Overview } from '../domain/overview.ts'

const newest = 100

type Row = {
  days: [day: number, deployments: number][]
  recent_ms: number[]
  targets: [target: string, deployedAtMs: number][]
  target_count: number
  now_ms: number
}

/** The days, gaps and targets of a profile in one statement, each a walk of its index. */
export async function readOverview(db: Db, userId: number): Promise<Overview> {
  const row = await db.run((queries) =>
    oneRowOf<Row>(
      queries,
      sql`
        select
          (
            select coalesce(json_agg(json_build_array(day - date '1970-01-01', deployments)), '[]') from (
              select day, deployments from daily_deployments
              where user_id = ${userId}
                and day > (statement_timestamp() at time zone 'UTC')::date - ${daysInOverview}::int
              order by day
            ) d
          ) as days,
          (
            select coalesce(json_agg(${milliseconds}), '[]') from (
              select deployed_at from deployments where user_id = ${userId} order by id desc limit ${newest}
            ) d
          ) as recent_ms,
          (
            select coalesce(json_agg(json_build_array(target, ${milliseconds})), '[]') from (
              select target, deployed_at from targets
              where user_id = ${userId} order by deployed_at desc limit ${newest}
            ) t
          ) as targets,
          (
            select count(*)::int from (
              select from targets where user_id = ${userId} limit ${maxTargetCount}
            ) t
          ) as target_count,
          ${nowInMs} as now_ms`,
    ),
  )
  return {
    days: row.days.map(([day, deployments]) => ({ day, deployments })),
    recent: row.recent_ms.map((instant) => new Date(instant)),
    targets: row.targets.map(([target, instant]) => ({ target, deployedAt: new Date(instant) })),
    targetCount: row.target_count,
    now: new Date(row.now_ms),
  }
}

const milliseconds = inMs(sql`deployed_at`)
