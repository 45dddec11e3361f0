import type { PageOfDeployments } from '../../data/feed-pages.ts'
import type { SearchedPart } from '../../domain/feed/feed.ts'
import type { TimeRange } from '../../domain/feed/time-range.ts'
import type { QueryParameters } from '../../http/query-parameters.ts'
import type { EntryLook } from '../../views/deployment/entry.tsx'
import type { SearchOnPages } from '../../views/feed/search.ts'
import type { Site } from '../../views/page/site.ts'
import type { ListRequest } from './page.ts'

/** What a capability brings so that the feed can be searched. Without it, no list takes `?q=`. */
export type Search = {
  readonly onPages: SearchOnPages
  /** What a query searches for; null if for nothing. Throws `bad_request`, or `not_found` for an unknown user. */
  readonly readPart: (query: QueryParameters) => Promise<FoundPart | null>
  /** Makes what answers `GET /` with the results of a query; null if it searches for nothing. Throws `bad_request`. */
  readonly pages: (site: Site) => (query: QueryParameters) => AnswerResults | null
}

type AnswerResults = (asked: Omit<ListRequest<never>, 'question'>) => Promise<Response>

export type FoundPart = SearchedPart & {
  readonly look: EntryLook
  /** A page for programs. A search stops after a while, so its page may be empty and still have an older one. */
  readonly list: (range: RangeOfList) => Promise<PageOfDeployments>
}

/** A page of the deployments of a time: those before an id, without history if `after` is 0, and how many. */
export type RangeOfList = {
  readonly time: TimeRange
  readonly after?: 0
  readonly before: number | null
  readonly limit: number
}

/** The parameters of a list of the feed that can be searched. */
export function withSearch(search: Search | null, parameters: readonly string[]): readonly string[] {
  return search === null ? parameters : ['q', ...parameters]
}
