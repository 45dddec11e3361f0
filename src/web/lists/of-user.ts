import type { Server } from 'bun'
import type { PageOfDeployments } from '../../data/feed-pages.ts'
import { pageVersionReader } from '../../data/pages/page-versions.ts'
import type { Db } from '../../database/db.ts'
import type { User } from '../../domain/account/user.ts'
import { isUnfiltered, type OneFacet, type Unfiltered } from '../../domain/feed/facets.ts'
import type { FeedFilter } from '../../domain/feed/feed.ts'
import { isBounded, type TimeRange } from '../../domain/feed/time-range.ts'
import type { Overview } from '../../domain/statistics/overview.ts'
import { startOfDay } from '../../domain/time.ts'
import { holds, type KeptPages, startGzip } from '../../http/kept-pages.ts'
import { Problem } from '../../http/problem.ts'
import {
  type QueryParameters,
  readDay,
  readTimeRange,
  readYear,
  usernameIn,
} from '../../http/query-parameters.ts'
import { documentOf, etagOf, pageOfStart } from '../../http/responses.ts'
import { endOfPage, type Moment } from '../../views/page/layout.tsx'
import type { Site } from '../../views/page/site.ts'
import type { PageKind } from '../../views/profile/deployments.tsx'
import type { Validity } from './page.ts'
import { readOneFacet, readPage } from './part.ts'

export type RequestOfUser = {
  readonly username: string
  readonly query: QueryParameters
  readonly request: Request
  readonly viewer: User | null
  readonly server: Server<unknown> | null
}

/** Answers with the page or a picture of a target; also for addresses with a host in the place of a deployment's id. */
export type AnswerProject = (request: RequestOfUser) => Promise<Response>

/** A request for a part of a user's page or, with a scope, of the page of one of their projects. */
export type RequestBelow = Pick<RequestOfUser, 'username' | 'query' | 'request' | 'viewer'> & {
  readonly site: Site
  readonly scope?: string
  /** The number at the end of an address, for a part whose name ends with `/:id`. */
  readonly id?: number
  /** The address of the client. */
  readonly client: string
}

/** Pictures and other parts of a user or project, by the name with which their addresses end. */
export type AnswersBelow = Readonly<Record<string, (asked: RequestBelow) => Promise<Response>>>

/** The part of a user's page that a query asks for; `on` is a UTC day by its number, in place of a time. */
export type PartOfUser = {
  readonly by: OneFacet
  readonly on: number | null
  readonly time: TimeRange
  readonly year: 'list' | null
}

/** A facet, `?on=` or a time, and `?year=`. Throws `bad_request`. */
export function readPartOfUser(query: QueryParameters): PartOfUser {
  const [on, time] = [readDay(query), readTimeRange(query)]
  if (on !== null && isBounded(time))
    throw new Problem('bad_request', 'A page shows a day or a time: leave out "on", or both "from" and "to".')
  return { by: readOneFacet(query), on, time, year: readYear(query) }
}

/** The usual page, of everything. */
type WholePart = {
  readonly by: Unfiltered
  readonly on: null
  readonly time: TimeRange
  readonly year: null
}

/** Whether it is the usual page. Only of this one a reader has the list already, and only this one is kept. */
export function isWhole<Part extends PartOfUser>(part: Part): part is Part & WholePart {
  return isUnfiltered(part.by) && part.on === null && !isBounded(part.time) && part.year === null
}

type Read = { readonly overview: Overview; readonly newest: PageOfDeployments }

/** The list of the usual page, which was read together with its head. It is kept if it has a validity. */
export function wholePage(part: WholePart, { overview, newest }: Read, validity: Validity | null) {
  return { ...part, overview, newer: null, ...newest, validity }
}

type FilterOfUser = FeedFilter & Pick<PartOfUser, 'on' | 'time'> & { readonly userId: number }

/** Reads the newest page of a user's list, a day or a time of it, or the page before an id. Call `refuseBroad` first. */
export async function readPageOfUser(
  db: Db,
  { on, time, ...filter }: FilterOfUser,
  { before, overview }: { before: null; overview: Overview } | { before: number; overview: null },
): Promise<PageOfDeployments & PageKind> {
  if (on !== null) {
    const day = { from: startOfDay(on), to: startOfDay(on + 1) }
    return { on, overview, ...(await readPage(db, filter, before, day)), newer: null }
  }
  const { newer, ...list } = await readPage(db, filter, before, time)
  return overview === null ? { on, overview, newer, ...list } : { on, overview, newer: null, ...list }
}

type KeptQuestion = PartOfUser & { readonly username: string | null; readonly target?: string }

/** Keeps the usual page of a user or, with a target, of one of their projects (docs/architecture.md#kept-pages). */
export function keepingWhole(db: Db, pages: KeptPages) {
  const readVersion = pageVersionReader(db)

  /** Whose page answers a question, and its key; null if there is no such user. */
  function pageOf({ username: asked, target }: KeptQuestion & WholePart) {
    const username = usernameIn(asked)
    if (username === null) return null
    return { username, key: target === undefined ? username : `${username}/${target}` }
  }

  return {
    async find(question: KeptQuestion, request: Request): Promise<Response | null> {
      const asked = isWhole(question) ? pageOf(question) : null
      const page = asked === null ? undefined : pages.find(asked.key)
      if (asked === null || page === undefined) return null
      const present = await readVersion(asked.username)
      if (present === null || !holds(page, present)) return null
      return pageOfStart(page, endOfPage(present), request)
    },

    keep(question: KeptQuestion, markup: JSX.Element, { version, until, ...moment }: Validity & Moment) {
      const end = endOfPage(moment)
      const start = documentOf(markup).slice(0, -end.length)
      const page = { start: startGzip(start), etag: etagOf(start) }
      const asked = isWhole(question) ? pageOf(question) : null
      if (asked !== null) pages.keep(asked.key, { ...page, version, from: moment.now, until })
      return (request: Request) => pageOfStart(page, end, request)
    },
  }
}
