import { type SQL, sql } from 'drizzle-orm'
import { type Db, nowInMs } from '../database/db.ts'
import { isDeleted } from '../domain/account/user.ts'
import type { Deployment } from '../domain/deployment.ts'
import { facets, givenFacets } from '../domain/feed/facets.ts'
import { entriesOfFeed, type FeedFilter, pageLimits, pageSize } from '../domain/feed/feed.ts'
import { beforeImported } from '../domain/imported.ts'
import { type DeploymentRow, deploymentOf, withPoster, withPosters } from './deployments.ts'
import { type FacetValues, facetKeys, facetValues } from './facets.ts'
import { latestEvent, oneRow, oneValue } from './statements.ts'

/** A page of at most `limit`, with ids below `before` (null: the newest page) and above `after` (0: no history). */
type ListFilter = FeedFilter & {
  readonly before: number | null
  readonly after?: number | undefined
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

/** One page of a part of the feed, the newest first, in one statement. */
export async function listDeployments(db: Db, filter: ListFilter): Promise<PageOfDeployments> {
  const { before, after, limit = pageSize, ...part } = filter
  const read = readAtOnce.find((rows) => rows > limit) ?? limit + 1
  const newest = newestOf(part, { before, after }, read)
  const list = part.userId === null ? withPosters(newest) : withPoster(newest, part.userId)
  const statement = sql`
    select (select coalesce(json_agg(page), '[]') from (${list}) page) as found, ${nowInMs} as now_ms,
      ${latestEvent} as seen`
  // All concurrent requests for the first page of the feed, or of one of few values, share one statement.
  const isFirst =
    before === null &&
    (after ?? 0) === 0 &&
    part.userId === null &&
    givenFacets(part.by).every((facet) => facets[facet].values !== null)
  const reading = oneRow<SeenAt & { found: readonly DeploymentRow[] }>(statement)
  const row = await db.read(reading, isFirst ? 'reserved' : 'shared')
  return pageFrom(row.found.map(deploymentOf), limit, row)
}

type OlderFilter = ListFilter & { readonly before: number }

/** The `before` of the next newer page than that with this one; null if that is the newest. */
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

/** At most this many targets are merged into one list. */
export const maxCovered = 200

/** Rows have ids between these two, both exclusive. Only the list of a single user includes history. */
type Range = { readonly after?: number | undefined; readonly before?: number | null }

type Walk = { readonly order: 'asc' | 'desc'; readonly limit: number; readonly selected?: SQL | undefined }

/** The user, target and facets of rows. Each may be a column of the statement. */
type Part = {
  readonly userId?: SQL | undefined
  readonly target?: SQL | undefined
  readonly by?: FacetValues | undefined
}

type OwnPart = Part & { readonly userId: SQL }

/** The newest rows of a part of the feed: one walk of an index, or with a scope, one for each target it covers. */
export function newestOf(filter: FeedFilter, range: Range, limit: number): SQL {
  return walkOf(filter, range, { order: 'desc', limit })
}

/** The same rows, the oldest first. */
export function oldestOf(filter: FeedFilter, range: Range, limit: number): SQL {
  return walkOf(filter, range, { order: 'asc', limit })
}

function walkOf(filter: FeedFilter, { after, before = null }: Range, { order, limit }: Walk): SQL {
  const { userId, scope } = filter
  const start = userId === null ? 0 : beforeImported
  const range = { after: Math.max(start, after ?? start), before }
  if (scope === null) return walk(partOf(filter), range, { order, limit })
  return sql`${inCovered({ ...filter, scope }, range, { order, limit })} order by d.id ${sql.raw(order)} limit ${limit}`
}

function partOf({ userId, by }: FeedFilter): Part {
  return { userId: userId === null ? undefined : sql`${userId}::bigint`, by: facetValues(by) }
}

/** The targets of a user that a scope covers. Each of the two may be a column of the statement. */
export function coveredBy(userId: number | SQL | null, scope: string | SQL): SQL {
  return sql`select target from target_scopes where user_id = ${userId} and scope = ${scope} limit ${maxCovered}`
}

type OfScope = FeedFilter & { readonly scope: string }

/** The newest row of each target that a scope covers, after an id. */
export function newestOfEach(filter: OfScope, after: number): SQL {
  return inCovered(filter, { after }, { order: 'desc', limit: 1 })
}

function inCovered(filter: OfScope, range: Range, each: Walk): SQL {
  return sql`
    select d.*
    from (${coveredBy(filter.userId, filter.scope)}) covered
    cross join lateral (${walk({ ...partOf(filter), target: sql`covered.target` }, range, each)}) d`
}

/** The newest rows of a user, in a target or with a facet if given. */
export function newestIn(part: OwnPart, limit: number, selected?: SQL, before: number | null = null): SQL {
  return walk(part, { before }, { order: 'desc', limit, selected })
}

/** The oldest of these rows after an id. */
export function oldestIn(part: OwnPart, limit: number, selected: SQL, after: number): SQL {
  return walk(part, { after }, { order: 'asc', limit, selected })
}

/** The first announcement of the user with this id, without their history. */
export function firstAnnouncedOf(userId: SQL): SQL {
  return walk({ userId }, { after: 0 }, { order: 'asc', limit: 1 })
}

/** A leading column of an index, or an expression with its column. The index omits rows whose column is null. */
type Key = readonly [expression: SQL, value: SQL | undefined, column?: SQL]

/**
 * The first rows of a part. A comparison of rows and an order by all columns make Postgres walk the index of exactly
 * these columns. With equality, it may filter another index, which is endless for a user who has stopped deploying.
 *
 * The walk ends with the first column, or after as many rows as the limit, and only then rows of other parts are left
 * out. A comparison of rows would not end it: up to Postgres 15, it ends a walk by its first column only, and a user may
 * have a million rows.
 *
 * The limit is part of the text: for a parameter, Postgres would plan the statement again at each call. So callers must
 * not give many different limits.
 */
function walk(
  { userId, target, by }: Part,
  { after = beforeImported, before }: Range,
  { order, limit, selected = sql`*` }: Walk,
): SQL {
  const all: Key[] = [[sql`user_id`, userId], [sql`target`, target], ...facetKeys(by)]
  const keys = all.filter(([, value]) => value !== undefined)
  const [low, high] = [sql`id > ${after}::bigint`, sql`id < ${before ?? Number.MAX_SAFE_INTEGER}::bigint`]
  const listed = (parts: (SQL | undefined)[]) => sql.join(parts, sql`, `)
  const ordered = (columns: readonly SQL[]) => sql`
    order by ${listed(columns.map((column) => sql`${column} ${sql.raw(order)}`))} limit ${sql.raw(String(limit))}`
  if (keys.length === 0) {
    return sql`select ${selected} from deployments where ${low} and ${high}${ordered([sql`id`])}`
  }
  const columns = [...keys.map(([expression]) => expression), sql`id`]
  const values = keys.map(([, value]) => value)
  const [comparison, from, end, rest] =
    order === 'desc'
      ? [sql`<`, before ?? Number.MAX_SAFE_INTEGER, sql`>=`, low]
      : [sql`>`, after, sql`<=`, high]
  const isKept = keys.map(([expression, , column = expression]) => sql` and ${column} is not null`)
  const isOwn = keys.map(([expression, value]) => sql` and ${expression} = ${value}`)
  return sql`
    select ${selected} from (
      select * from deployments
      where (${listed(columns)}) ${comparison} (${listed([...values, sql`${from}::bigint`])})
        and ${columns[0]} ${end} ${values[0]}${sql.join(isKept)}${ordered(columns)}
    ) part where ${rest}${sql.join(isOwn)}`
}

/** Whether the scope of a filter covers too many targets to walk. */
export async function isTooBroad(db: Db, filter: FeedFilter): Promise<boolean> {
  return await coversMore(db, filter, maxCovered)
}

/** Whether the scope of a filter covers more than this number of targets of its user. */
export async function coversMore(db: Db, { userId, scope }: FeedFilter, than: number): Promise<boolean> {
  if (scope === null) return false
  const statement = sql`select ${coveredUpTo(userId, scope, than + 1)} as covered`
  return (await db.read(oneValue<number>(statement))) > than
}

/** How many targets of a user a scope covers, counted up to a limit, as an expression. */
export function coveredUpTo(userId: number | null, scope: string, limit: number): SQL {
  return sql`(
    select count(*)::int from (
      select from target_scopes where user_id = ${userId} and scope = ${scope} limit ${limit}
    ) s
  )`
}
