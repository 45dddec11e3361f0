import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { nowInMs, oneRowOf, rowsOf } from '../database/sql.ts'
import { isDeleted } from '../domain/account/username.ts'
import type { Deployment } from '../domain/deployment.ts'
import type { FeedFilter } from '../domain/feed-event.ts'
import { type DeploymentRow, deploymentColumns, deploymentOf } from './deployment-row.ts'
import { latestEvent } from './event-log.ts'
import { newestOf, oldestOf } from './feed-part.ts'

export const pageSize = 25

/**
 * Which deployments a list holds; `before` is the id to page before, null for the newest page, which has
 * `limit` of them. Those up to the id `after` are not in it.
 */
export type Filter = FeedFilter & {
  readonly before: number | null
  readonly after?: number
  readonly limit?: number
}

/** `older` is the id to page before, null on the last page; `now` is the database's. */
export type Page = {
  readonly deployments: readonly Deployment[]
  readonly older: number | null
  readonly now: Date
  /** The id of the last event at that instant, from which a stream goes on. */
  readonly seen: number
}

/** One page of a filter's deployments, the newest first, read by id and never by offset in one statement. */
export async function listDeployments(
  db: Db,
  { before, after = 0, limit = pageSize, ...part }: Filter,
): Promise<Page> {
  const row = await db.read((queries) =>
    oneRowOf<Sight & { found: readonly DeploymentRow[] }>(
      queries,
      sql`
        select (
          select coalesce(json_agg(page), '[]') from (
            select ${deploymentColumns}
            from (${newestOf(part, { before, after }, limit + 1)}) deployments
            -- Lateral and limited: a probe for each deployment, never a read of all users.
            cross join lateral (select id, username, name from users where id = user_id limit 1) users
            order by deployments.id desc
          ) page
        ) as found, ${nowInMs} as now_ms, ${latestEvent} as seen`,
    ),
  )
  return pageOf(row.found.map(deploymentOf), limit, row)
}

/**
 * The id to page before for the page that an older one follows, or null where that is the newest page. Takes
 * the id that the older one is before.
 */
export async function newerPage(
  db: Db,
  { before, ...part }: Filter & { before: number },
): Promise<number | null> {
  const newer = oldestOf(part, { after: before - 1 }, pageSize + 1)
  const { id } = await db.read((queries) =>
    oneRowOf<{ id: string | number | null }>(
      queries,
      sql`select case when count(*) > ${pageSize}::int then max(id) end as id from (${newer}) newer`,
    ),
  )
  return id === null ? null : Number(id)
}

/**
 * A page of `limit` of the deployments that were found, of which one more may be, as a statement saw them. What
 * is still there of a deleted account is left out.
 */
export function pageOf(found: readonly Deployment[], limit: number, { now_ms, seen }: Sight): Page {
  const read = found.slice(0, limit)
  return {
    deployments: read.filter(({ poster }) => !isDeleted(poster.username)),
    older: found.length > limit ? (read.at(-1)?.id ?? null) : null,
    now: new Date(now_ms),
    seen: Number(seen),
  }
}

type Sight = { readonly now_ms: number; readonly seen: string | number }

/** One deployment by its id alone, whosever it is, or null if there is none. */
export async function findPosted(db: Db, id: number): Promise<Deployment | null> {
  const [row] = await db.run((queries) =>
    rowsOf<DeploymentRow>(
      queries,
      sql`
        select ${deploymentColumns} from deployments join users on users.id = deployments.user_id
        where deployments.id = ${id}`,
    ),
  )
  return row === undefined ? null : deploymentOf(row)
}

/** How many deployments a user has, by what was counted for each day. */
export async function countDeployments(db: Db, userId: number): Promise<number> {
  const { count } = await db.run((queries) =>
    oneRowOf<{ count: string }>(
      queries,
      sql`select coalesce(sum(deployments), 0) as count from daily_deployments where user_id = ${userId}`,
    ),
  )
  return Number(count)
}
