import { type SQL, sql } from 'drizzle-orm'
import type { FeedFilter } from '../domain/feed/feed.ts'
import { coveredBy, environmentKeyOf, type Key, keysOfRest, walk } from './feed-pages.ts'

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
