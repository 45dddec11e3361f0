import { type SQL, sql } from 'drizzle-orm'
import { type Db, nowInMs } from '../database/db.ts'
import { isDeleted } from '../domain/account/user.ts'
import type { Deployment } from '../domain/deployment.ts'
import type { ByKind, FeedFilter } from '../domain/feed/feed.ts'
import { entriesOfFeed, pageLimits, pageSize } from '../domain/feed/page-sizes.ts'
import { beforeHistory } from '../domain/history.ts'
import { type DeploymentRow, deploymentColumns, deploymentOf } from './deployments.ts'
import { environmentKeyColumn } from './schema.ts'
import { latestEvent, oneRow } from './statements.ts'

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
 * statements (see `walk`).
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
    oneRow<SeenAt & { found: readonly DeploymentRow[] }>(sql`
      select (
        select coalesce(json_agg(page), '[]') from (
          select ${deploymentColumns}
          from (${newestOf(part, { before, ...(after === undefined ? {} : { after }) }, read)}) deployments
          -- Lateral and limited, so that this is a probe for each deployment and never a read of all users.
          cross join lateral (select id, username, name from users where id = user_id limit 1) users
          order by deployments.id desc
        ) page
      ) as found, ${nowInMs} as now_ms, ${latestEvent} as seen`),
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
  const { id } = await db.read(
    oneRow<{ id: number | null }>(
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

/** At most this many targets are merged into one list. */
export const maxCovered = 200

/**
 * The rows of a list have ids between these two, both exclusive. A list of a user begins with their history, and
 * any other with the first announcement.
 */
type Range = { readonly after?: number; readonly before?: number | null }

/**
 * The rows of `deployments` in a part of the feed, the newest first and at most `limit`: a walk of one index,
 * or with a scope, one walk for each target that it covers.
 */
export function newestOf(filter: FeedFilter, range: Range, limit: number): SQL {
  return walkOf(filter, range, { order: sql`desc`, limit })
}

/** The same rows, the oldest first. */
export function oldestOf(filter: FeedFilter, range: Range, limit: number): SQL {
  return walkOf(filter, range, { order: sql`asc`, limit })
}

type Walk = { readonly order: SQL; readonly limit: number; readonly selected?: SQL | undefined }

function walkOf(filter: FeedFilter, { after, before = null }: Range, { order, limit }: Walk): SQL {
  const { userId, scope } = filter
  const start = userId === null ? 0 : beforeHistory
  const range = { after: Math.max(start, after ?? start), before }
  const ofUser: Key[] = userId === null ? [] : [[sql`user_id`, sql`${userId}::bigint`]]
  const ofRest = keysOfRest(filter)
  if (scope === null) return walk([...ofUser, ...ofRest], range, { order, limit })
  return sql`
    select d.*
    from (${coveredBy(userId, scope)}) covered
    cross join lateral (
      ${walk([...ofUser, [sql`target`, sql`covered.target`], ...ofRest], range, { order, limit })}
    ) d
    order by d.id ${order} limit ${limit}`
}

export function keysOfRest({ category, environment }: ByKind): Key[] {
  return [
    ...(category === null ? [] : [[sql`category`, sql`${category}::text`] as const]),
    ...(environment === null ? [] : [environmentKeyOf(sql`${environment}::text`)]),
  ]
}

export function coveredBy(userId: number, scope: string): SQL {
  return sql`select target from target_scopes where user_id = ${userId} and scope = ${scope} limit ${maxCovered}`
}

/** A leading column of an index, or an expression with its column. The index omits rows whose column is null. */
export type Key = readonly [expression: SQL, value: SQL, column?: SQL]

export function environmentKeyOf(environment: SQL): Key {
  return [environmentKeyColumn, environment, sql`environment`]
}

/**
 * The first rows with these keys. Row comparison, and an order by all columns, make Postgres walk the index
 * of exactly these columns. With equality, it may walk the ids of all users and filter them, which is fast
 * for users who deploy now and endless for users who have stopped.
 *
 * The limit is part of the text: with a parameter in its place, Postgres would plan the statement again at each call
 * if the database is large. So callers must not give many different limits.
 */
export function walk(
  keys: readonly Key[],
  { after = beforeHistory, before }: Range,
  { order, limit, selected = sql`*` }: Walk,
): SQL {
  const comma = sql`, `
  const columns = keys.map(([expression]) => expression)
  const values = keys.map(([, value]) => value)
  const row = sql.join([...columns, sql`id`], comma)
  const first = sql.join([...values, sql`${after}::bigint`], comma)
  const last = sql.join([...values, sql`${before ?? Number.MAX_SAFE_INTEGER}::bigint`], comma)
  const isKept = keys.map(([expression, , column = expression]) => sql` and ${column} is not null`)
  return sql`
    select ${selected} from deployments
    where (${row}) > (${first}) and (${row}) < (${last})${sql.join(isKept)}
    order by ${sql.join(
      [...columns, sql`id`].map((column) => sql`${column} ${order}`),
      comma,
    )} limit ${sql.raw(String(limit))}`
}

/** Whether the scope of a filter covers too many targets to walk. Throws Unavailable. */
export async function isTooBroad(db: Db, filter: FeedFilter): Promise<boolean> {
  return await coversMore(db, filter, maxCovered)
}

/** Whether the scope of a filter covers several targets of its user. Throws Unavailable. */
export async function coversSeveral(db: Db, filter: FeedFilter): Promise<boolean> {
  return await coversMore(db, filter, 1)
}

async function coversMore(db: Db, { userId, scope }: FeedFilter, than: number): Promise<boolean> {
  if (scope === null) return false
  const { covered } = await db.read(
    oneRow<{ covered: number }>(sql`
      select count(*)::int as covered from (
        select from target_scopes where user_id = ${userId} and scope = ${scope} limit ${than + 1}
      ) s`),
  )
  return covered > than
}
