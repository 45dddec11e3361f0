import { readEnvironments } from '../../data/current.ts'
import { listDeployments, type PageOfDeployments } from '../../data/feed-pages.ts'
import { pageVersionReader } from '../../data/pages/page-versions.ts'
import { idsBetween } from '../../data/time-ranges.ts'
import type { Db } from '../../database/db.ts'
import type { User } from '../../domain/account/user.ts'
import { environmentTable } from '../../domain/environments.ts'
import type { ByKind, FeedFilter } from '../../domain/feed/feed.ts'
import type { Overview } from '../../domain/statistics/overview.ts'
import { startOfDay } from '../../domain/time.ts'
import { holds, type KeptPages, startGzip } from '../../http/kept-pages.ts'
import { type QueryParameters, readDay, readYear, usernameIn } from '../../http/query-parameters.ts'
import { documentOf, etagOf, pageOfStart } from '../../http/responses.ts'
import { endOfPage, type Moment } from '../../views/page/layout.tsx'
import type { PageKind } from '../../views/profile/deployments.tsx'
import type { Validity } from './page.ts'
import { findNamed, readKind, readPage } from './part.ts'

export type RequestOfUser = {
  readonly username: string
  readonly query: QueryParameters
  readonly request: Request
  readonly viewer: User | null
}

/** Answers with the page or a picture of a target; also for addresses with a host in the place of a deployment's id. */
export type AnswerProject = (request: RequestOfUser) => Promise<Response>

export const pictureNames = ['card.png', 'year.svg'] as const

/** A request for a picture of a user or, with a scope, of one of their projects. */
export type RequestOfPicture = Omit<RequestOfUser, 'viewer'> & {
  readonly name: (typeof pictureNames)[number]
  readonly scope?: string
}

/** The part of a user's page that a query asks for; `on` is a UTC day by its number. */
export type PartOfUser = ByKind & { readonly on: number | null; readonly year: 'list' | null }

/** `?category=` or `?env=`, `?on=` and `?year=`. Throws `bad_request`. */
export function readPartOfUser(query: QueryParameters): PartOfUser {
  return { ...readKind(query), on: readDay(query), year: readYear(query) }
}

/** Whether it is the usual page, of everything. */
export function isWhole({ category, environment, on, year }: PartOfUser): boolean {
  return category === null && environment === null && on === null && year === null
}

/** Reads the newest page of a user's list or of a day of it, or the page before an id. Call `refuseBroad` first. */
export async function readPageOfUser(
  db: Db,
  { on, ...filter }: FeedFilter & { readonly userId: number; readonly on: number | null },
  { before, overview }: { before: null; overview: Overview } | { before: number; overview: null },
): Promise<PageOfDeployments & PageKind> {
  if (on !== null) {
    const time = { from: startOfDay(on), to: startOfDay(on + 1) }
    const ids = await idsBetween(db, filter.userId, time, before)
    return { on, overview, newer: null, ...(await listDeployments(db, { ...filter, ...ids })) }
  }
  if (before !== null) return { on, overview, ...(await readPage(db, filter, before)) }
  return { on, overview, newer: null, ...(await listDeployments(db, { ...filter, before })) }
}

type KeptQuestion = PartOfUser & { readonly username: string | null; readonly target?: string }

/** Keeps the usual page of a user or, with a target, of one of their projects (docs/architecture.md#kept-pages). */
export function keepingWhole(db: Db, pages: KeptPages) {
  const readVersion = pageVersionReader(db)

  /** Whose page answers a question, and its key; null if it is not kept. */
  function pageOf({ username: asked, target, ...part }: KeptQuestion) {
    const username = isWhole(part) ? usernameIn(asked) : null
    if (username === null) return null
    return { username, key: target === undefined ? username : `${username}/${target}` }
  }

  return {
    async find(question: KeptQuestion, request: Request): Promise<Response | null> {
      const asked = pageOf(question)
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
      const asked = pageOf(question)
      if (asked !== null) pages.keep(asked.key, { ...page, version, from: moment.now, until })
      return (request: Request) => pageOfStart(page, end, request)
    },
  }
}

/** Only the most used environments are columns of the table: each pull request may have an environment of its own. */
const mostColumns = 8

export function environmentsReader(db: Db) {
  const readVersion = pageVersionReader(db)

  return async ({ username, ...question }: { username: string; userId: number; scope: string | null }) => {
    // Before the rest, so that the stream continues with everything that the table may lack.
    const { now, seen } = await findNamed(username, readVersion)
    const table = environmentTable(await readEnvironments(db, question), mostColumns)
    return { table, now, seen }
  }
}
