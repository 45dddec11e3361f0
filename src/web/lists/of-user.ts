import { idsOfDay, listDeployments, newerPage } from '../../data/feed-pages.ts'
import type { Db } from '../../database/db.ts'
import type { User } from '../../domain/account/user.ts'
import type { ByKind, FeedFilter } from '../../domain/feed/feed.ts'
import type { Overview } from '../../domain/statistics/overview.ts'
import { type QueryParameters, readDay, readYear } from '../../http/query-parameters.ts'
import type { DeploymentsOfKind } from '../../views/profile/deployments.tsx'
import { readKind } from './part.ts'

/** A request for a page of a user or of one of their projects. */
export type RequestOfUser = {
  readonly username: string
  readonly query: QueryParameters
  readonly request: Request
  readonly viewer: User | null
}

/** The part of a user's page that a query asks for; `on` is a UTC day by its number. */
export type PartOfUser = ByKind & { readonly on: number | null; readonly year: 'list' | null }

/** `?category=` or `?env=`, `?on=` and `?year=`. Throws `bad_request`. */
export function readPartOfUser(query: QueryParameters): PartOfUser {
  return { ...readKind(query), on: readDay(query), year: readYear(query) }
}

type OfUser = FeedFilter & { readonly userId: number }

/** Whether it is the usual page, of everything. */
export function isWhole({ category, environment, on, year }: PartOfUser): boolean {
  return category === null && environment === null && on === null && year === null
}

/** Reads the newest page of a user's deployments, or of a day of them. The filter must not be too broad. */
export async function readNewestOfUser(
  db: Db,
  filter: OfUser,
  on: number | null,
  overview: Overview,
): Promise<DeploymentsOfKind> {
  if (on === null) {
    return { kind: 'newest', overview, ...(await listDeployments(db, { ...filter, before: null })) }
  }
  const day = await idsOfDay(db, filter.userId, on)
  return { kind: 'day', on, overview, ...(await listDeployments(db, { ...filter, ...day })) }
}

/** Reads the page before an id. The filter must not be too broad. */
export async function readOlderOfUser(
  db: Db,
  filter: OfUser,
  on: number | null,
  before: number,
): Promise<DeploymentsOfKind> {
  if (on !== null) {
    const day = await idsOfDay(db, filter.userId, on)
    const ids = { after: day.after, before: Math.min(before, day.before) }
    return { kind: 'day', on, overview: null, ...(await listDeployments(db, { ...filter, ...ids })) }
  }
  const [list, newer] = await Promise.all([
    listDeployments(db, { ...filter, before }),
    newerPage(db, { ...filter, before }),
  ])
  return { kind: 'older', newer, ...list }
}
