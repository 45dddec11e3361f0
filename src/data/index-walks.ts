import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { inMs, oneRowOf } from '../database/sql.ts'
import type { ByKind, FeedFilter } from '../domain/feed/feed.ts'
import { beforeHistory, firstImportedFrom } from '../domain/history.ts'
import { startOfDay } from '../domain/time.ts'
import { environmentKeyColumn } from './schema.ts'

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

function keysOfRest({ category, environment }: ByKind): Key[] {
  return [
    ...(category === null ? [] : [[sql`category`, sql`${category}::text`] as const]),
    ...(environment === null ? [] : [environmentKeyOf(sql`${environment}::text`)]),
  ]
}

function coveredBy(userId: number, scope: string): SQL {
  return sql`select target from target_scopes where user_id = ${userId} and scope = ${scope} limit ${maxCovered}`
}

type ScopedFilter = FeedFilter & { readonly scope: string }

/** The newest row of each target that a scope covers, after an id. */
export function newestOfEach(filter: ScopedFilter, after: number): SQL {
  const { userId, scope } = filter
  const keys: Key[] = [
    [sql`user_id`, sql`${userId}::bigint`],
    [sql`target`, sql`covered.target`],
    ...keysOfRest(filter),
  ]
  return sql`
    select d.*
    from (${coveredBy(userId, scope)}) covered
    cross join lateral (${walk(keys, { after }, { order: sql`desc`, limit: 1 })}) d`
}

/** The newest rows of the user with this id, which may be a column of the statement. */
export function newestOfUser(userId: SQL, limit: number, selected?: SQL): SQL {
  return walk([[sql`user_id`, userId]], {}, { order: sql`desc`, limit, selected })
}

/** The first announcement of the user with this id, without their history. */
export function firstAnnouncedOf(userId: SQL): SQL {
  return walk([[sql`user_id`, userId]], { after: 0 }, { order: sql`asc`, limit: 1 })
}

/** A user's newest row in a target. Both may be columns of the statement. */
export function newestInTarget({ userId, target }: { userId: SQL; target: SQL }, selected: SQL): SQL {
  const keys: Key[] = [
    [sql`user_id`, userId],
    [sql`target`, target],
  ]
  return walk(keys, {}, { order: sql`desc`, limit: 1, selected })
}

/** A user's newest rows in an environment, and in a target if given. All may be columns of the statement. */
export function newestInEnvironment(
  { userId, target, environment }: { userId: SQL; target?: SQL; environment: SQL },
  limit: number,
  selected: SQL,
): SQL {
  const ofTarget: Key[] = target === undefined ? [] : [[sql`target`, target]]
  const keys: Key[] = [[sql`user_id`, userId], ...ofTarget, environmentKeyOf(environment)]
  return walk(keys, {}, { order: sql`desc`, limit, selected })
}

function environmentKeyOf(environment: SQL): Key {
  return [environmentKeyColumn, environment, sql`environment`]
}

/** A leading column of an index, or an expression with its column. The index omits rows whose column is null. */
type Key = readonly [expression: SQL, value: SQL, column?: SQL]

/** The next row of a user before or after an id, in a target if given. */
export function neighbourOfId(
  { userId, target }: { userId: SQL; target: SQL | null },
  id: number,
  side: 'before' | 'after',
  selected: SQL,
): SQL {
  const keys: Key[] = [[sql`user_id`, userId], ...(target === null ? [] : [[sql`target`, target] as const])]
  const order = side === 'before' ? sql`desc` : sql`asc`
  return walk(keys, { [side]: id }, { order, limit: 1, selected })
}

/**
 * The first rows with these keys. Row comparison, and an order by all columns, make Postgres walk the index
 * of exactly these columns. With equality, it may walk the ids of all users and filter them, which is fast
 * for users who deploy now and endless for users who have stopped.
 *
 * The limit is part of the text: with a parameter in its place, Postgres would plan the statement again at each call
 * if the database is large. So callers must not give many different limits.
 */
function walk(
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
  const { covered } = await db.read((queries) =>
    oneRowOf<{ covered: number }>(
      queries,
      sql`
        select count(*)::int as covered from (
          select from target_scopes where user_id = ${userId} and scope = ${scope} limit ${than + 1}
        ) s`,
    ),
  )
  return covered > than
}

/** The deployments of a day have ids between these two, both exclusive. */
export type IdsOfDay = { readonly after: number; readonly before: number }

/**
 * Finds the ids of a user's UTC day, which is given as its number since 1970. Ids are in the order of time, unless
 * a clock was set back, so a list of a day walks the same index as the whole list. A user's history ends before their
 * first announcement, so only the day of that announcement has ids of both kinds. Throws Unavailable.
 */
export async function idsOfDay(db: Db, userId: number, day: number): Promise<IdsOfDay> {
  const [start, end] = [startOfDay(day), startOfDay(day + 1)]
  const { first, next, begun_ms } = await db.read((queries) =>
    oneRowOf<{ first: number; next: number; begun_ms: number | null }>(
      queries,
      sql`
        select (${firstIdFrom(start)}) as first, (${firstIdFrom(end)}) as next,
          (select ${inMs(sql`deployed_at`)} from (${firstAnnouncedOf(sql`${userId}::bigint`)}) d) as begun_ms`,
    ),
  )
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
