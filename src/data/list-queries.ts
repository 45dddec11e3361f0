import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import type { FeedFilter } from '../domain/feed/feed-and-page-sizes.ts'
import { beforeHistory } from '../domain/history.ts'
import { environmentKeyColumn } from './schema.ts'
import { oneValue } from './statements.ts'

/** At most this many targets are merged into one list. */
export const maxCovered = 200

/** Rows have ids between these two, both exclusive. Only the list of a single user includes history. */
type Range = { readonly after?: number | undefined; readonly before?: number | null }

type Walk = { readonly order: SQL; readonly limit: number; readonly selected?: SQL | undefined }

/** The user, target, category and environment of rows. Each may be a column of the statement. */
type Part = { readonly [Column in 'userId' | 'target' | 'category' | 'environment']?: SQL | undefined }

/** The newest rows of a part of the feed: one walk of an index, or with a scope, one for each target it covers. */
export function newestOf(filter: FeedFilter, range: Range, limit: number): SQL {
  return walkOf(filter, range, { order: sql`desc`, limit })
}

/** The same rows, the oldest first. */
export function oldestOf(filter: FeedFilter, range: Range, limit: number): SQL {
  return walkOf(filter, range, { order: sql`asc`, limit })
}

function walkOf(filter: FeedFilter, { after, before = null }: Range, { order, limit }: Walk): SQL {
  const { userId, scope } = filter
  const start = userId === null ? 0 : beforeHistory
  const range = { after: Math.max(start, after ?? start), before }
  if (scope === null) return walk(partOf(filter), range, { order, limit })
  return sql`${inCovered({ ...filter, scope }, range, { order, limit })} order by d.id ${order} limit ${limit}`
}

function partOf({ userId, category, environment }: FeedFilter): Part {
  return {
    userId: userId === null ? undefined : sql`${userId}::bigint`,
    category: category === null ? undefined : sql`${category}::text`,
    environment: environment === null ? undefined : sql`${environment}::text`,
  }
}

/** The targets of a user that a scope covers. Each of the two may be a column of the statement. */
export function coveredBy(userId: number | SQL | null, scope: string | SQL): SQL {
  return sql`select target from target_scopes where user_id = ${userId} and scope = ${scope} limit ${maxCovered}`
}

type OfScope = FeedFilter & { readonly scope: string }

/** The newest row of each target that a scope covers, after an id. */
export function newestOfEach(filter: OfScope, after: number): SQL {
  return inCovered(filter, { after }, { order: sql`desc`, limit: 1 })
}

function inCovered(filter: OfScope, range: Range, each: Walk): SQL {
  return sql`
    select d.*
    from (${coveredBy(filter.userId, filter.scope)}) covered
    cross join lateral (${walk({ ...partOf(filter), target: sql`covered.target` }, range, each)}) d`
}

/** The newest rows of a user, in a target or an environment if given. */
export function newestIn(part: Part & { readonly userId: SQL }, limit: number, selected?: SQL): SQL {
  return walk(part, {}, { order: sql`desc`, limit, selected })
}

/** The first announcement of the user with this id, without their history. */
export function firstAnnouncedOf(userId: SQL): SQL {
  return walk({ userId }, { after: 0 }, { order: sql`asc`, limit: 1 })
}

/** The next row of a part before or after an id. */
export function neighbourOfId(part: Part, id: number, side: 'before' | 'after', selected: SQL): SQL {
  return walk(part, { [side]: id }, { order: side === 'before' ? sql`desc` : sql`asc`, limit: 1, selected })
}

/** A leading column of an index, or an expression with its column. The index omits rows whose column is null. */
type Key = readonly [expression: SQL, value: SQL | undefined, column?: SQL]

/**
 * The first rows of a part. Row comparison, and an order by all columns, make Postgres walk the index of exactly these
 * columns. With equality, it may filter the ids of all users, which is endless for a user who has stopped deploying.
 *
 * The limit is part of the text: for a parameter, Postgres would plan the statement again at each call. So callers must
 * not give many different limits.
 */
function walk(
  { userId, target, category, environment }: Part,
  { after = beforeHistory, before }: Range,
  { order, limit, selected = sql`*` }: Walk,
): SQL {
  const all: Key[] = [
    [sql`user_id`, userId],
    [sql`target`, target],
    [sql`category`, category],
    [environmentKeyColumn, environment, sql`environment`],
  ]
  const keys = all.filter(([, value]) => value !== undefined)
  const comma = sql`, `
  const columns = [...keys.map(([expression]) => expression), sql`id`]
  const row = sql.join(columns, comma)
  const values = keys.map(([, value]) => value)
  const first = sql.join([...values, sql`${after}::bigint`], comma)
  const last = sql.join([...values, sql`${before ?? Number.MAX_SAFE_INTEGER}::bigint`], comma)
  const isKept = keys.map(([expression, , column = expression]) => sql` and ${column} is not null`)
  const orders = columns.map((column) => sql`${column} ${order}`)
  return sql`
    select ${selected} from deployments
    where (${row}) > (${first}) and (${row}) < (${last})${sql.join(isKept)}
    order by ${sql.join(orders, comma)} limit ${sql.raw(String(limit))}`
}

/** Whether the scope of a filter covers too many targets to walk. Throws Unavailable. */
export async function isTooBroad(db: Db, filter: FeedFilter): Promise<boolean> {
  return await coversMore(db, filter, maxCovered)
}

/** Whether the scope of a filter covers more than this number of targets of its user. Throws Unavailable. */
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
