import { findUser } from '../../data/account/users.ts'
import { isTooBroad, listDeployments, newerPage, type PageOfDeployments } from '../../data/feed-pages.ts'
import { findDeployments } from '../../data/search/find.ts'
import type { Db } from '../../database/db.ts'
import { type ByKind, type FeedFilter, isSearch, type Search } from '../../domain/feed/feed.ts'
import type { SearchQuestion } from '../../domain/search/question.ts'
import { scopeOf } from '../../domain/target.ts'
import { Problem } from '../../http/problem.ts'
import {
  deploymentIdOf,
  type QueryParameters,
  readCategory,
  readEnvironment,
  readQuestion,
  readTarget,
  usernameIn,
} from '../../http/query-parameters.ts'

/** The part of the feed that a query asks for. Throws `bad_request`, or `not_found` for an unknown user. */
export async function readPart(db: Db, query: QueryParameters): Promise<FeedFilter | Search> {
  return (await readSearch(db, query)) ?? (await readFilter(db, query))
}

/** The same for a list that cannot be searched. */
export async function readFilter(db: Db, query: QueryParameters): Promise<FeedFilter> {
  return (await readFilterOf(db, query.user || undefined, query)).filter
}

/** The same for a list whose address names its user. `username` is undefined for everyone's list. */
export async function readFilterOf(db: Db, username: string | null | undefined, query: QueryParameters) {
  const target = readTarget(query)
  const kind = readKind(query)
  const poster = username === undefined ? null : await findPoster(db, username)
  const filter = filterOf(poster?.user.id ?? null, target === null ? null : scopeOf(target), kind)
  await refuseBroad(db, filter)
  return { filter, poster }
}

function filterOf(userId: number | null, scope: string | null, kind: ByKind): FeedFilter {
  if (scope === null) return { userId, scope, ...kind }
  if (userId !== null) return { userId, scope, ...kind }
  throw new Problem('bad_request', 'A target belongs to one user: give "user" too.')
}

/** `?category=` or `?env=`. Throws `bad_request` for both, because no index has both. */
export function readKind(query: QueryParameters): ByKind {
  const category = readCategory(query)
  const environment = readEnvironment(query)
  if (environment === null) return { category, environment }
  if (category === null) return { category, environment }
  throw new Problem('bad_request', 'A list has one category or one environment: leave one of them out.')
}

/** Throws `bad_request` for a filter that would merge too many lists, and says what to ask for instead. */
export async function refuseBroad(db: Db, filter: FeedFilter): Promise<void> {
  if (await isTooBroad(db, filter)) throw tooBroad()
}

export function tooBroad(): Problem {
  const advice = 'Ask for one of them, such as github.com/ada/engine.'
  return new Problem('bad_request', `This filter covers too many targets. ${advice}`)
}

/** The search that `?q=` and `?category=` ask for; null without `?q=`. Throws as readPart does. */
export async function readSearch(db: Db, query: QueryParameters): Promise<Search | null> {
  const question = readSearchQuestion(query)
  if (question === null) return null
  const search = await searchFor(db, question)
  if (search === null) throw new Problem('not_found', `There is no @${question.username} here.`)
  return search
}

/** The question of `?q=` and `?category=`; null without `?q=`. Throws `bad_request` for what cannot be combined. */
export function readSearchQuestion(query: QueryParameters): SearchQuestion | null {
  const question = readQuestion(query)
  if (question === null) return null
  const other = ['user', 'target', 'env'].find((name) => query[name])
  if (other !== undefined) {
    const advice = 'search for words, @user, a host and env: in "q" itself.'
    throw new Problem('bad_request', `"${other}" cannot be combined with "q": ${advice}`)
  }
  const category = readCategory(query) ?? question.category
  if (question.category === null || category === question.category) return { ...question, category }
  throw new Problem(
    'bad_request',
    `"q" has category:${question.category}, and "category" is ${category}: leave one of them out.`,
  )
}

/** The search for a question; null if it names a user that does not exist. */
export async function searchFor(db: Db, question: SearchQuestion): Promise<Search | null> {
  const { words, phrases, without, username, target, environment, category } = question
  const poster = username === null ? null : await findUser(db, username)
  if (username !== null && poster === null) return null
  const scope = target === null ? null : scopeOf(target)
  return { words, phrases, without, userId: poster?.user.id ?? null, scope, category, environment }
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

/** The newest page of a part of the feed, or the page before an id with the `before` of the page that precedes it. */
export async function readPage(db: Db, filter: FeedFilter, before: number | null) {
  const [list, newer] = await Promise.all([
    listDeployments(db, { ...filter, before }),
    before === null ? null : newerPage(db, { ...filter, before }),
  ])
  return { ...list, newer }
}

/** A page for programs. A search stops after a while, so its page may be empty and still have an older one. */
export async function readList(
  db: Db,
  part: FeedFilter | Search,
  range: { readonly after?: number; readonly before: number | null; readonly limit: number },
): Promise<PageOfDeployments> {
  if (!isSearch(part)) return await listDeployments(db, { ...part, ...range })
  const { rest, ...page } = await findDeployments(db, { ...part, ...range })
  return { ...page, older: page.older ?? rest?.before ?? null }
}
