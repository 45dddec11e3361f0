import { findUser } from '../../data/account/users.ts'
import { isTooBroad, listDeployments, newerPage, type PageOfDeployments } from '../../data/feed-pages.ts'
import { scopeToRead } from '../../data/targets.ts'
import { idsBetween } from '../../data/time-ranges.ts'
import type { Db } from '../../database/db.ts'
import { facetsFrom, givenFacets, isOneFacet, type OneFacet } from '../../domain/feed/facets.ts'
import { type FeedFilter, isSearched } from '../../domain/feed/feed.ts'
import { isBounded, type TimeRange } from '../../domain/feed/time-range.ts'
import { scopeOf } from '../../domain/target.ts'
import { Problem } from '../../http/problem.ts'
import {
  deploymentIdOf,
  type QueryParameters,
  readBefore,
  readFacet,
  readLimit,
  readTarget,
  readTimeRange,
  usernameIn,
} from '../../http/query-parameters.ts'
import type { FoundPart, RangeOfList, Search } from './search.ts'

/** The part of the feed that a query asks for. Throws `bad_request`, or `not_found` for an unknown user. */
export async function readPart(
  db: Db,
  search: Search | null,
  query: QueryParameters,
): Promise<FeedFilter | FoundPart> {
  return (await search?.readPart(query)) ?? (await readFilter(db, query))
}

/** The same for a list that cannot be searched. */
export async function readFilter(db: Db, query: QueryParameters): Promise<FeedFilter> {
  return (await readFilterOf(db, query.user || undefined, query)).filter
}

/** The same for a list whose address names its user. `username` is undefined for everyone's list. */
export async function readFilterOf(db: Db, username: string | null | undefined, query: QueryParameters) {
  const target = readTarget(query)
  const by = readOneFacet(query)
  const poster = username === undefined ? null : await findPoster(db, username)
  const filter = await filterOf(db, poster?.user.id ?? null, target === null ? null : scopeOf(target), by)
  await refuseBroad(db, filter)
  return { filter, poster }
}

async function filterOf(
  db: Db,
  userId: number | null,
  scope: string | null,
  by: OneFacet,
): Promise<FeedFilter> {
  if (scope === null) return { userId, scope, by }
  if (userId !== null) return { userId, scope: await scopeToRead(db, { userId, scope }), by }
  throw new Problem('bad_request', 'A target belongs to one user: give "user" too.')
}

/** `?category=`, `?env=` and so on. Throws `bad_request` for several, because no index has several. */
export function readOneFacet(query: QueryParameters): OneFacet {
  const by = facetsFrom((facet) => readFacet(query, facet))
  if (isOneFacet(by)) return by
  const choice = givenFacets(by)
    .map((facet) => `one ${facet}`)
    .join(' or ')
  throw new Problem('bad_request', `A list has ${choice}: leave one of them out.`)
}

/** Throws `bad_request` for a filter that would merge too many lists, and says what to ask for instead. */
export async function refuseBroad(db: Db, filter: FeedFilter): Promise<void> {
  if (await isTooBroad(db, filter)) throw tooBroad()
}

export function tooBroad(): Problem {
  const advice = 'Ask for one of them, such as github.com/ada/engine.'
  return new Problem('bad_request', `This filter covers too many targets. ${advice}`)
}

/** The user that an address names. Throws `not_found` if there is none. */
export async function findPoster(db: Db, name: string | null) {
  return await findNamed(name, (username) => findUser(db, username))
}

/** Returns the result of `find` for the username in an address. Throws `not_found` if there is none. */
export async function findNamed<Found>(
  name: string | null,
  find: (username: string) => Promise<Found | null>,
): Promise<Found> {
  const username = usernameIn(name)
  const found = username === null ? null : await find(username)
  if (found !== null) return found
  throw new Problem('not_found', 'No one here has this username, and no page has this address.')
}

/** Returns the result of `find` for the deployment in an address. Throws `not_found` if there is none. */
export async function findAddressed<Found>(
  params: { readonly username: string; readonly id: string },
  find: (address: { readonly username: string; readonly id: number }) => Promise<Found | null>,
): Promise<Found> {
  const username = usernameIn(params.username)
  const id = deploymentIdOf(params.id)
  const found = username === null || id === null ? null : await find({ username, id })
  if (found === null) throw noSuchDeployment()
  return found
}

export function noSuchDeployment(): Problem {
  return new Problem('not_found', 'There is no such deployment, or it was withdrawn.')
}

/**
 * The newest page of a part of the feed in a time, or the page before an id with the `before` of the page that precedes
 * it. Only pages of any time know that.
 */
export async function readPage(db: Db, filter: FeedFilter, before: number | null, time: TimeRange) {
  const ids = await idsBetween(db, filter.userId, time, before)
  const [list, newer] = await Promise.all([
    listDeployments(db, { ...filter, ...ids }),
    before === null || isBounded(time) ? null : newerPage(db, { ...filter, before }),
  ])
  return { ...list, newer }
}

/** The page of a list for programs that a query asks for. Throws as readPart does, and for a wrong bound. */
export async function readAsked(
  db: Db,
  search: Search | null,
  query: QueryParameters,
): Promise<PageOfDeployments> {
  const range = { before: readBefore(query), limit: readLimit(query), time: readTimeRange(query) }
  return await readList(db, await readPart(db, search, query), range)
}

/** A page for programs. That of a search may be empty and still have an older one. */
export async function readList(
  db: Db,
  part: FeedFilter | FoundPart,
  range: RangeOfList,
): Promise<PageOfDeployments> {
  if (isSearched(part)) return await part.list(range)
  const { time, after, before, limit } = range
  const ids = await idsBetween(db, part.userId, time, before)
  const first = after === undefined ? ids.after : Math.max(after, ids.after ?? after)
  return await listDeployments(db, { ...part, ...ids, after: first, limit })
}
