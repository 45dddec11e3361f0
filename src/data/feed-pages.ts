import { type SQL, sql } from 'drizzle-orm'
import { type Db, inMs, nowInMs } from '../database/db.ts'
import { isDeleted } from '../domain/account/user.ts'
import { startOfDay } from '../domain/ages-and-days.ts'
import type { Deployment } from '../domain/deployment.ts'
import { entriesOfFeed, type FeedFilter, pageLimits, pageSize } from '../domain/feed/feed-and-page-sizes.ts'
import { firstImportedFrom } from '../domain/history.ts'
import { type DeploymentRow, deploymentOf, withPosters } from './deployments.ts'
import { firstAnnouncedOf, newestOf, oldestOf } from './list-queries.ts'
import { latestEvent, oneRow, oneValue } from './statements.ts'

/** A page of at most `limit`, with ids below `before` (null: the newest page) and above `after` (0: no history). */
type ListFilter = FeedFilter & {
  readonly before: number | null
  readonly after?: number
  readonly limit?: number
}

/** A list reads as many rows as the first of these above its limit: few numbers make few statements (see `walk`). */
const readAtOnce = [pageSize + 1, entriesOfFeed + 1, pageLimits.max + 1]

/** `older` is the `before` of the next page, null on the last page; `now` is the database's time. */
export type PageOfDeployments = {
  readonly deployments: readonly Deployment[]
  readonly older: number | null
  readonly now: Date
  /** The id of the last event at that instant. A stream continues from it. */
  readonly seen: number
}

/** One page of a part of the feed, the newest first, in one statement. Throws Unavailable. */
export async function listDeployments(db: Db, filter: ListFilter): Promise<PageOfDeployments> {
  const { before, after, limit = pageSize, ...part } = filter
  const read = readAtOnce.find((rows) => rows > limit) ?? limit + 1
  const list = withPosters(newestOf(part, { before, after }, read))
  const statement = sql`
    select (select coalesce(json_agg(page), '[]') from (${list}) page) as found, ${nowInMs} as now_ms,
      ${latestEvent} as seen`
  // All concurrent requests for the first page of the feed share one statement.
  const isFirst = before === null && part.userId === null && part.environment === null
  const reading = oneRow<SeenAt & { found: readonly DeploymentRow[] }>(statement)
  const row = await db.read(reading, isFirst ? 'reserved' : 'shared')
  return pageFrom(row.found.map(deploymentOf), limit, row)
}

type OlderFilter = ListFilter & { readonly before: number }

/** The `before` of the next newer page than that with this one; null if that is the newest. Throws Unavailable. */
export async function newerPage(db: Db, { before, ...part }: OlderFilter): Promise<number | null> {
  const newer = oldestOf(part, { after: before - 1 }, pageSize + 1)
  const statement = sql`select case when count(*) > ${pageSize}::int then max(id) end as id from (${newer}) newer`
  return await db.read(oneValue<number | null>(statement))
}

export type SeenAt = { readonly now_ms: number; readonly seen: number }

/** A page of the first `limit` of these deployments, without those left over from a deleted account. */
export function pageFrom(found: readonly Deployment[], limit: number, at: SeenAt): PageOfDeployments {
  const read = found.slice(0, limit)
  return {
    deployments: read.filter(({ poster }) => !isDeleted(poster.username)),
    older: found.length > limit ? (read.at(-1)?.id ?? null) : null,
    now: new Date(at.now_ms),
    seen: at.seen,
  }
}

/** The ids, exclusive, around a user's UTC day, which is given by its number since 1970. Throws Unavailable. */
export async function idsOfDay(db: Db, userId: number, day: number) {
  const [start, end] = [startOfDay(day), startOfDay(day + 1)]
  const statement = sql`
    select (${firstIdFrom(start)}) as first, (${firstIdFrom(end)}) as next,
      (select ${inMs(sql`deployed_at`)} from (${firstAnnouncedOf(sql`${userId}::bigint`)}) d) as begun_ms`
  type Row = { first: number; next: number; begun_ms: number | null }
  const { first, next, begun_ms } = await db.read(oneRow<Row>(statement))
  // History ends before the first announcement, so only the day of that announcement has ids of both kinds.
  const imported = { after: firstImportedFrom(start) - 1, before: firstImportedFrom(end) }
  if (begun_ms === null || begun_ms >= end.getTime()) return imported
  return { after: begun_ms < start.getTime() ? first - 1 : imported.after, before: next }
}

/**
 * The first announced id that is not before an instant, by binary search: each step probes the primary key. `low` is
 * always before the instant, `high` never is. The instant is passed as a number, because Postgres cannot read
 * the text that JavaScript writes for the years 0 and 10000.
 */
function firstIdFrom(instant: Date): SQL {
  return sql`
    with recursive search (low, high) as (
      select 0::bigint, greatest(0, (select id from deployments order by id desc limit 1)) + 1
      union all
      select case when is_before then middle else low end, case when is_before then high else middle end
      from (
        select low, high, middle, coalesce((
          select deployed_at < to_timestamp(${instant.getTime() / 1000}::float8) from deployments
          where id >= middle order by id limit 1
        ), false) as is_before
        from (select low, high, (low + high) / 2 as middle from search where high - low > 1) s
      ) s
    )
    select high from search order by high - low limit 1`
}
