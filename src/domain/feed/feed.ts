import { isDeleted } from '../account/user.ts'
import type { Category } from '../category.ts'
import type { Deployment } from '../deployment.ts'
import { environmentKey } from '../deployment.ts'
import { projectOf } from '../link.ts'
import { hasAll, hasAny, type Wording } from '../search/words.ts'
import { hour } from '../time.ts'

/** How many deployments a page of a list holds. */
export const pageSize = 25

/** The same for a page of the API. */
export const pageLimits = { default: 25, max: 100 } as const

/** The same for a page for feed readers. */
export const entriesOfFeed = 50

/**
 * An event of the feed. The ids of all kinds come from one sequence in commit order, so the id of the last
 * event is the whole position of a reader.
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

/** Whose deployments a list holds: everyone's, or one user's, of which a scope of target.ts may select some. */
type ByUser =
  | { readonly userId: number | null; readonly scope: null }
  | { readonly userId: number; readonly scope: string }

/** A category or an environment, in the form of environmentKey of deployment.ts, but not both: no index has both. */
export type ByKind =
  | { readonly category: Category | null; readonly environment: null }
  | { readonly category: null; readonly environment: string }

/** A part of the feed that one walk of an index can list; null means no filter. */
export type FeedFilter = ByUser & ByKind

/** A part of the feed that contains words, in the form of search/words.ts. Only the index of words can find it. */
export type Search = Wording & {
  /** What a deployment may not contain. */
  readonly without: Wording
  readonly userId: number | null
  readonly scope: string | null
  readonly category: Category | null
  readonly environment: string | null
}

/** Whether a part of the feed is a search. */
export function isSearch(part: FeedFilter | Search): part is Search {
  return 'words' in part
}

/** The feed without a filter. */
export const wholeFeed = {
  userId: null,
  category: null,
  scope: null,
  environment: null,
} as const satisfies FeedFilter

/**
 * Whether an event belongs to a part of the feed. Withdrawals and deleted accounts belong to every part, and
 * the deployments of a deleted account to none.
 */
export function isIn(part: FeedFilter | Search, event: FeedEvent): boolean {
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

/** A program that announces under its own name. */
const botName = /\[bot\]|^(?:dependabot|renovate|weblate)\b/i

/** The title of an update that a program makes. A person may have announced it. */
const botTitle =
  /^[^\p{L}:]*(?::[a-z_]+:\s*)*(?:\w+\(deps(?:-dev)?\)!?:|(?:\w+: ?)?bump .+ from \S+ to \S+|translated using weblate)/iu

/** What programs write below: their signature, or Dependabot's list for other programs. */
const botMark = /^(?:Signed-off-by: .*\[bot\]|updated-dependencies:)/m

/** Whether a program made the change, so that lists fold it (docs/decisions.md#feed). */
export function isByBot({ poster, message }: Pick<Deployment, 'poster' | 'message'>): boolean {
  // Few messages have a mark, and this is faster than the expression.
  const mayHaveMark = message.includes('[bot]') || message.includes('updated-dependencies:')
  return botName.test(poster.name) || botTitle.test(message) || (mayHaveMark && botMark.test(message))
}

/** Whether the older of two neighbours continues the newer: by the same user, to the same project, within an hour. */
export function isOneRun(newer: Deployment, older: Deployment): boolean {
  if (newer.poster.username !== older.poster.username) return false
  if (newer.deployedAt.getTime() - older.deployedAt.getTime() > hour) return false
  const scope = projectOf(newer.url)?.scope
  return scope !== undefined && scope === projectOf(older.url)?.scope
}

/** The deployments of a list in its order, those of bots that are neighbours in one group, and each other one in its own. */
export function groupsOf(deployments: readonly Deployment[]): [Deployment, ...Deployment[]][] {
  const groups: [Deployment, ...Deployment[]][] = []
  let isAfterBot = false
  for (const deployment of deployments) {
    const isBot = isByBot(deployment)
    if (isBot && isAfterBot) groups.at(-1)?.push(deployment)
    else groups.push([deployment])
    isAfterBot = isBot
  }
  return groups
}
