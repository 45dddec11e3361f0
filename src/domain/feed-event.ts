import { isDeleted } from './account/username.ts'
import type { Category } from './category.ts'
import type { Deployment } from './deployment.ts'
import { environmentKey } from './release.ts'
import { hasWords } from './search/words.ts'

/**
 * An event of the feed. The ids of all kinds come from one sequence in commit order, so one number says how
 * far a reader has seen.
 */
export type FeedEvent =
  | {
      readonly kind: 'announced'
      readonly id: number
      readonly deployment: Deployment
      readonly scopes: readonly string[]
    }
  | { readonly kind: 'withdrawn'; readonly id: number; readonly deploymentId: number }
  | { readonly kind: 'account_deleted'; readonly id: number; readonly username: string }

/** The part of the feed that somebody looks at; null means no filter. */
export type FeedFilter = {
  readonly userId: number | null
  readonly category: Category | null
  /** A scope of target.ts. */
  readonly scope: string | null
  /** As it is compared: environmentKey of release.ts. */
  readonly environment: string | null
}

/** A part that was searched for; the words are those of search/words.ts. */
export type Search = FeedFilter & { readonly words: readonly string[] }

/** Whether a part was searched for, so that no index leads to it but that of words. */
export function isSearch(filter: FeedFilter | Search): filter is Search {
  return 'words' in filter
}

/** No filter at all. */
export const wholeFeed: FeedFilter = { userId: null, category: null, scope: null, environment: null }

/**
 * Whether an event belongs to a part of the feed. What takes something away belongs to every part, and what an
 * account has posted that was deleted since belongs to none.
 */
export function isIn(
  { userId, category, scope, environment, words }: FeedFilter & Partial<Search>,
  event: FeedEvent,
): boolean {
  if (event.kind !== 'announced') return true
  const { deployment, scopes } = event
  return (
    !isDeleted(deployment.poster.username) &&
    (userId === null || userId === deployment.poster.id) &&
    (category === null || category === deployment.category) &&
    (scope === null || scopes.includes(scope)) &&
    (environment === null || environment === environmentKey(deployment.environment ?? '')) &&
    (words === undefined || hasWords(words, deployment))
  )
}
