import { sql } from 'drizzle-orm'
import { type Db, nowInMs } from '../../database/db.ts'
import { pageSize, wholeFeed } from '../../domain/feed/feed.ts'
import { maxRecent } from '../../domain/statistics/overview.ts'
import { boardOfTarget, type LiveRow, liveEnvironmentOf } from '../current.ts'
import { type DeploymentRow, deploymentOf, withPoster } from '../deployments.ts'
import {
  coveredBy,
  coveredUpTo,
  maxCovered,
  newestOf,
  oldestOf,
  pageFrom,
  type SeenAt,
} from '../feed-pages.ts'
import { latestEvent, oneRow, oneValue } from '../statements.ts'
import { pageVersion } from './page-versions.ts'
import {
  columnsOfRecent,
  isInYear,
  milliseconds,
  type OverviewRow,
  overviewFrom,
  recentLists,
} from './profiles.ts'

type ProjectQuestion = { readonly userId: number; readonly scope: string }

type Row = OverviewRow &
  SeenAt & {
    readonly targets_covered: number
    readonly found: readonly DeploymentRow[] | null
    readonly board: readonly LiveRow[] | null
    readonly version: string
  }

/** Reads the page of a project or host: 'too broad' if it has more than `maxCovered` targets. */
export async function readProject(db: Db, { userId, scope }: ProjectQuestion) {
  const ofTarget = sql`user_id = ${userId} and target = covered.target`
  const ofProject = { ...wholeFeed, userId, scope }
  const statement = sql`
    with covered as materialized (${coveredBy(userId, scope)})
    select days.*, first.*, announced.*, recent.*, targets.*, list.*, live.*,
      ${coveredUpTo(userId, scope, maxCovered + 1)} as targets_covered,
      (select ${pageVersion} from users where users.id = ${userId}) as version,
      ${nowInMs} as now_ms, ${latestEvent} as seen
    from (
      select json_agg(day - date '1970-01-01' order by day) as days, json_agg(n order by day) as counts from (
        select day, sum(deployments) as n from covered cross join lateral (
          select day, deployments from target_days where ${ofTarget} and ${isInYear} order by user_id, target, day
        ) d group by day
      ) d
    ) days, (
      select min(day) - date '1970-01-01' as first_day from covered cross join lateral (
        select day from target_days where ${ofTarget} order by user_id, target, day limit 1
      ) d
    ) first, (
      select (
        select utc_day(deployed_at) - date '1970-01-01' from (${oldestOf(ofProject, { after: 0 }, 1)}) d
      ) as first_announced_day
    ) announced, (
      select ${recentLists(sql` order by id desc`)} from (
        select ${columnsOfRecent} from (${newestOf(ofProject, {}, maxRecent)}) d
      ) d
    ) recent, (
      select json_agg(target) as targets, json_agg(${milliseconds}) as targets_ms from (
        select target, deployed_at from covered
        cross join lateral (select deployed_at from targets where ${ofTarget} limit 1) t
        where target <> ${scope} order by deployed_at desc limit ${maxRecent}
      ) t
    ) targets, (
      select json_agg(d) as found from (${withPoster(newestOf(ofProject, {}, pageSize + 1), userId)}) d
    ) list, (
      select json_agg(d) as board from (${boardOfTarget(userId, scope)}) d
    ) live`
  const row = await db.read(oneRow<Row>(statement))
  if (row.targets_covered === 0) return 'nothing'
  if (row.targets_covered > maxCovered) return 'too broad'
  return {
    /** Its `targets` are those below the project or host. */
    overview: overviewFrom(row),
    newest: pageFrom((row.found ?? []).map(deploymentOf), pageSize, row),
    board: (row.board ?? []).map(liveEnvironmentOf),
    version: row.version,
  }
}

/** Whether any deployment of a user counts for a scope. */
export async function isDeployedTo(db: Db, { userId, scope }: ProjectQuestion): Promise<boolean> {
  const statement = sql`select exists (select from target_scopes where user_id = ${userId} and scope = ${scope}) as found`
  return await db.read(oneValue<boolean>(statement))
}
