import type { Facets } from '../../domain/feed/facets.ts'
import type { SearchedPart } from '../../domain/feed/feed.ts'
import { hasAll, hasAny, type Wording } from './words.ts'

/** A search as the index and statements take it: its user and its target were looked up. */
export type WordSearch = Wording & {
  readonly without: Wording
  readonly userId: number | null
  readonly scope: string | null
  readonly by: Facets
}

/** The part of the feed that a search asks for. */
export function searchedPart(search: WordSearch): SearchedPart {
  const { userId, scope, by, without } = search
  return {
    ...{ userId, scope, by },
    has: (deployment) => hasAll(search, deployment) && !hasAny(without, deployment),
  }
}

/** The ids from the first on and below the end. */
export type IdRange = { readonly first: number; readonly end: number }
