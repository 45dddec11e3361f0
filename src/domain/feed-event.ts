import type { Category } from './category.ts'
import type { Deployment } from './deployment.ts'

/**
 * What happens to the feed. Ids of both kinds come from one sequence, in the order of the commits, so one
 * number tells how far somebody has seen.
 */
export type FeedEvent =
  | {
      readonly kind: 'announced'
      readonly id: number
      readonly deployment: Deployment
      readonly scopes: readonly string[]
    }
  | { readonly kind: 'withdrawn'; readonly id: number; readonly deploymentId: number }

/** Which part of the feed somebody looks at; null leaves that filter out. */
export type FeedFilter = {
  readonly userId: number | null
  readonly category: Category | null
  /** A scope of target.ts. */
  readonly scope: string | null
}

/** Whether an event belongs to a part of the feed. A withdrawal does to each: it removes what is there. */
export function isIn({ userId, category, scope }: FeedFilter, event: FeedEvent): boolean {
  if (event.kind === 'withdrawn') return true
  const { deployment, scopes } = event
  return (
    (userId === null || userId === deployment.poster.id) &&
    (category === null || category === deployment.category) &&
    (scope === null || scopes.includes(scope))
  )
}
