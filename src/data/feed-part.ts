import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { oneRowOf } from '../database/sql.ts'
import type { FeedFilter } from '../domain/feed-event.ts'
import { environmentKeyColumn } from './schema.ts'

/** At most this many targets are merged into one list. */
export const maxCovered = 200

/** The ids that a list lies between, both exclusive. */
type Range = { readonly after?: number; readonly before?: number | null }

/**
 * The rows of `deployments` in a part of the feed, the newest first, at most `limit`: a walk of one index, or
 * with a scope, one walk for each target that it covers.
 */
export function newestOf(filter: FeedFilter, range: Range, limit: number): SQL {
  return walkOf(filter, range, { order: sql`desc`, limit })
}

/** The same rows, the oldest first. */
export function oldestOf(filter: FeedFilter, range: Range, limit: number): SQL {
  return walkOf(filter, range, { order: sql`asc`, limit })
}

type Walk = { readonly order: SQL; readonly limit: number; readonly selected?: SQL | undefined }

function walkOf(filter: FeedFilter, range: Range, { order, limit }: Walk): SQL {
  const { userId, category, scope, environment } = filter
  const ofUser: Key[] = userId === null ? [] : [[sql`user_id`, sql`${userId}::bigint`]]
  const ofRest: Key[] = [
    ...(category === null ? [] : [[sql`category`, sql`${category}::text`] as const]),
    ...(environment === null ? [] : [environmentKeyOf(sql`${environment}::text`)]),
  ]
  if (scope === null) return walk([...ofUser, ...ofRest], range, { order, limit })
  return sql`
    select d.*
    from (
      select target from target_scopes where user_id = ${userId} and scope = ${scope} limit ${maxCovered}
    ) covered
    cross join lateral (
      ${walk([...ofUser, [sql`target`, sql`covered.target`], ...ofRest], range, { order, limit })}
    ) d
    order by d.id ${order} limit ${limit}`
}

/** The newest rows of the user whose id is given, which may be a column of the statement. */
export function newestOfUser(userId: SQL, limit: number, selected?: SQL): SQL {
  return walk([[sql`user_id`, userId]], {}, { order: sql`desc`, limit, selected })
}

/** The newest rows of an environment of a user, of one target if it is given; all may be columns of the statement. */
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

/** What an index is led by. Of an expression, the index leaves out where its column is null. */
type Key = readonly [expression: SQL, value: SQL, column?: SQL]

/** The next row before or after an id, of a user and, if one is given, a target of theirs. */
export function besideOne(
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
 * The first rows with these keys. Compares rows and orders by all columns, so that Postgres walks the one
 * index of these columns. With equality it may walk everybody's ids and filter, which is quick for users who
 * are busy now and endless for those who no longer are.
 */
function walk(
  keys: readonly Key[],
  { after = 0, before }: Range,
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
    )} limit ${limit}`
}

/**
 * Whether a filter is too wide for newestOf: a scope without a user, or one that covers too many of the
 * user's targets.
 */
export async function isTooBroad(db: Db, { userId, scope }: FeedFilter): Promise<boolean> {
  if (scope === null) return false
  if (userId === null) return true
  const { covered } = await db.read((queries) =>
    oneRowOf<{ covered: number }>(
      queries,
      sql`
        select count(*)::int as covered from (
          select from target_scopes where user_id = ${userId} and scope = ${scope} limit ${maxCovered + 1}
        ) s`,
    ),
  )
  return covered > maxCovered
}
