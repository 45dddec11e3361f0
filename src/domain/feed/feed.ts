import { isDeleted } from '../account/user.ts'
import type { Deployment } from '../deployment.ts'
import { type Facets, hasFacets, type OneFacet } from './facets.ts'

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

/** A part of the feed that one walk of an index can list; null means no filter. */
export type FeedFilter = ByUser & { readonly by: OneFacet }

/** A part of the feed that only a search can find: it may have several facets, and `has` looks at the texts. */
export type SearchedPart = {
  readonly userId: number | null
  readonly scope: string | null
  readonly by: Facets
  /** Whether what is asked of the texts of a deployment holds. */
  readonly has: (deployment: Deployment) => boolean
}

export type FeedPart = FeedFilter | SearchedPart

/** Whether only a search can find a part of the feed. */
export function isSearched(part: FeedPart): part is SearchedPart {
  return 'has' in part
}

export const wholeFeed = { userId: null, scope: null, by: {} } as const

/** Whether an event is in a part of the feed. Withdrawals are in each, and deployments of a deleted account in none. */
export function isIn(part: FeedPart, event: FeedEvent): boolean {
  if (event.kind !== 'announced') return true
  const { userId, scope, by } = part
  const { deployment, scopes } = event
  return (
    !isDeleted(deployment.poster.username) &&
    (userId === null || userId === deployment.poster.id) &&
    (scope === null || scopes.includes(scope)) &&
    hasFacets(by, deployment) &&
    (!isSearched(part) || part.has(deployment))
  )
}

/** How many deployments a page of a list holds. */
export const pageSize = 25

/** The same for a page of the API. */
export const pageLimits = { default: pageSize, max: 100 } as const

/** The same for a page for feed readers. */
export const entriesOfFeed = 50
