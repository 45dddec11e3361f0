import { isDeleted } from '../account/user.ts'
import type { Category } from '../category.ts'
import type { Deployment } from '../deployment.ts'
import { environmentKey } from '../release.ts'
import { hasAll, hasAny, type Wording } from '../search/words.ts'

/** The ids of all kinds come from one sequence in commit order, so the id of the last event is a reader's position. */
export type FeedEvent =
  | {
      readonly kind: 'announced'
      readonly id: number
      readonly deployment: Deployment
      readonly scopes: readonly string[]
    }
  | { readonly kind: 'withdrawn'; readonly id: number; readonly deploymentId: number }
  | { readonly kind: 'account_deleted'; readonly id: number; readonly username: string }

/** Whose deployments a list holds: everyone's, or one user's, of which a scope of target.ts may select some. */
type ByUser =
  | { readonly userId: number | null; readonly scope: null }
  | { readonly userId: number; readonly scope: string }

/** A category or an environment, in the form of environmentKey of release.ts, but not both: no index has both. */
export type ByKind =
  | { readonly category: Category | null; readonly environment: null }
  | { readonly category: null; readonly environment: string }

/** A part of the feed that one walk of an index can list; null means no filter. */
export type FeedFilter = ByUser & ByKind

/** A part of the feed that contains words, in the form of search/words.ts. Only the index of words can find it. */
export type Search = Wording & {
  readonly without: Wording
  readonly userId: number | null
  readonly scope: string | null
  readonly category: Category | null
  readonly environment: string | null
}

export type FeedPart = FeedFilter | Search

/** Whether a part of the feed is a search. */
export function isSearch(part: FeedPart): part is Search {
  return 'words' in part
}

export const wholeFeed = { userId: null, category: null, scope: null, environment: null } as const

/** Whether an event is in a part of the feed. Withdrawals are in each, and deployments of a deleted account in none. */
export function isIn(part: FeedPart, event: FeedEvent): boolean {
  if (event.kind !== 'announced') return true
  const { userId, category, scope, environment } = part
  const { deployment, scopes } = event
  return (
    !isDeleted(deployment.poster.username) &&
    (userId === null || userId === deployment.poster.id) &&
    (category === null || category === deployment.category) &&
    (scope === null || scopes.includes(scope)) &&
    (environment === null || environment === environmentKey(deployment.environment ?? '')) &&
    (!isSearch(part) || (hasAll(part, deployment) && !hasAny(part.without, deployment)))
  )
}

/** How many deployments a page of a list holds. */
export const pageSize = 25

/** The same for a page of the API. */
export const pageLimits = { default: pageSize, max: 100 } as const

/** The same for a page for feed readers. */
export const entriesOfFeed = 50
