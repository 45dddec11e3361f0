import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { nowInMs, oneRowOf, rowsOf } from '../database/sql.ts'
import { isDeleted } from '../domain/account/user.ts'
import type { Deployment } from '../domain/deployment.ts'
import type { FeedFilter } from '../domain/feed/feed.ts'
import { entriesOfFeed, pageLimits, pageSize } from '../domain/feed/page-sizes.ts'
import { isAccount } from './account/users.ts'
import type { DeploymentRow } from './deployment-row.ts'
import { deploymentColumns, deploymentOf } from './deployment-row.ts'
import { latestEvent } from './event-log.ts'
import { newestOf, oldestOf } from './index-walks.ts'

/**
 * Which deployments a page of a list holds: at most `limit`, with ids below `before` (null: the newest page)
 * and above `after`, which is 0 for a list of a user without their history.
 */
type ListFilter = FeedFilter & {
  readonly before: number | null
  readonly after?: number
  readonly limit?: number
}

/**
 * How many rows a list may read: the first of these that is above the limit of its page. Few values make few
 * statements (`walk` in index-walks.ts).
 */
const readAtOnce = [pageSize + 1, entriesOfFeed + 1, pageLimits.max + 1]

/** `older` is the `before` of the next page, null on the last page; `now` is the database's time. */
export type PageOfDeployments = {
  readonly deployments: readonly Deployment[]
  readonly older: number | null
  readonly now: Date
  /** The id of the last event at that instant. A stream continues from it. */
  readonly seen: number
}

/**
 * One page of a part of the feed, the newest first, in one statement (docs/decisions.md#read). Pages are
 * read by id and never by offset. Throws Unavailable.
 */
export async function listDeployments(
  db: Db,
  { before, after, limit = pageSize, ...part }: ListFilter,
): Promise<PageOfDeployments> {
  const read = readAtOnce.find((rows) => rows > limit) ?? limit + 1
  // All concurrent requests for the first page of the feed share one statement.
  const isFirst = before === null && part.userId === null && part.environment === null
  const row = await db.read(
    (queries) =>
      oneRowOf<SeenAt & { found: readonly DeploymentRow[] }>(
        queries,
        sql`
        select (
          select coalesce(json_agg(page), '[]') from (
            select ${deploymentColumns}
            from (${newestOf(part, { before, ...(after === undefined ? {} : { after }) }, read)}) deployments
            -- Lateral and limited, so that this is a probe for each deployment and never a read of all users.
            cross join lateral (select id, username, name from users where id = user_id limit 1) users
            order by deployments.id desc
          ) page
        ) as found, ${nowInMs} as now_ms, ${latestEvent} as seen`,
      ),
    isFirst ? 'reserved' : 'shared',
  )
  return pageFrom(row.found.map(deploymentOf), limit, row)
}

/**
 * The `before` of the page before this one, null if that is the newest page. Takes the `before` of this one.
 * Throws Unavailable.
 */
export async function newerPage(
  db: Db,
  { before, ...part }: ListFilter & { before: number },
): Promise<number | null> {
  const newer = oldestOf(part, { after: before - 1 }, pageSize + 1)
  const { id } = await db.read((queries) =>
    oneRowOf<{ id: number | null }>(
      queries,
      sql`select case when count(*) > ${pageSize}::int then max(id) end as id from (${newer}) newer`,
    ),
  )
  return id
}

/**
 * A page of at most `limit` deployments from those that one statement found, which may be more. Deployments left
 * over from a deleted account are omitted.
 */
export function pageFrom(
  found: readonly Deployment[],
  limit: number,
  { now_ms, seen }: SeenAt,
): PageOfDeployments {
  const read = found.slice(0, limit)
  return {
    deployments: read.filter(({ poster }) => !isDeleted(poster.username)),
    older: found.length > limit ? (read.at(-1)?.id ?? null) : null,
    now: new Date(now_ms),
    seen,
  }
}

type SeenAt = { readonly now_ms: number; readonly seen: number }

/** One deployment of any user by its id; null if there is none. Throws Unavailable. */
export async function findPosted(db: Db, id: number): Promise<Deployment | null> {
  const [row] = await db.read((queries) =>
    rowsOf<DeploymentRow>(
      queries,
      sql`
        select ${deploymentColumns} from deployments join users on users.id = deployments.user_id
        where deployments.id = ${id} and ${isAccount}`,
    ),
  )
  return row === undefined ? null : deploymentOf(row)
}

/** How many deployments a user has, as the sum of the daily counts. Throws Unavailable. */
export async function countDeployments(db: Db, userId: number): Promise<number> {
  const { count } = await db.run((queries) =>
    oneRowOf<{ count: number }>(
      queries,
      sql`select coalesce(sum(deployments), 0) as count from daily_deployments where user_id = ${userId}`,
    ),
  )
  return count
}
