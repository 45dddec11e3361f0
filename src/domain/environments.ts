import type { Deployment } from './deployment.ts'
import { environmentKey } from './deployment.ts'

/** The newest deployment of a target to an environment: what is live there. */
export type Current = { readonly target: string; readonly deployment: Deployment }

/**
 * The environments whose order is known, in the order in which a change reaches them, in the form of
 * environmentKey (docs/decisions.md#environments). Those in one line are equally far.
 */
export const stages: readonly (readonly string[])[] = [
  ['dev', 'develop', 'development'],
  ['test', 'testing', 'qa', 'integration'],
  ['uat', 'acceptance'],
  ['staging', 'stage', 'stg', 'preprod', 'pre-prod', 'preproduction', 'pre-production'],
  ['production', 'prod', 'live'],
]

/** How many deployments to an environment are counted that the next one does not have yet. */
export const mostAhead = 50

/** A deployment as it is compared; of its message, the beginning is enough. */
export type Recent = Pick<Deployment, 'id' | 'message' | 'version' | 'commit'>

/** What is live in an environment, and the latest deployments to it, the newest first, if its order is known. */
export type LiveEnvironment = { readonly deployment: Deployment; readonly recent: readonly Recent[] }

/** What the next environment does not have yet; `isMore` if there are more than `mostAhead`. */
export type Ahead = {
  readonly of: string
  readonly deployments: readonly Recent[]
  readonly isMore: boolean
}

export type BoardRow = { readonly deployment: Deployment; readonly ahead: Ahead | null }

/**
 * The rows of a project's board: first the environments whose order is known, in that order, then the others,
 * the newest first. Takes what is live, the newest first.
 */
export function boardOf(live: readonly LiveEnvironment[]): readonly BoardRow[] {
  const staged = stages.flatMap((_, stage) => live.filter((one) => stageOf(one) === stage))
  const others = live.filter((one) => stageOf(one) === -1)
  return [
    ...staged.map((one) => {
      const next = staged.find((other) => stageOf(other) > stageOf(one))
      return { deployment: one.deployment, ahead: next === undefined ? null : aheadOf(one, next.deployment) }
    }),
    ...others.map(({ deployment }) => ({ deployment, ahead: null })),
  ]
}

/** The place of an environment in `stages`, -1 if it has none. */
function stageOf({ deployment }: LiveEnvironment): number {
  const key = environmentKey(deployment.environment ?? '')
  return stages.findIndex((names) => names.includes(key))
}

/**
 * The deployments after the one of the release that is live in the next environment or, if none of them is known to
 * be it, those after the next environment was deployed to.
 */
function aheadOf({ recent }: LiveEnvironment, next: Deployment): Ahead {
  const same = recent.findIndex((one) => isSameRelease(one, next))
  const newer = same === -1 ? recent.filter(({ id }) => id > next.id) : recent.slice(0, same)
  const deployments = newer.slice(0, mostAhead)
  return { of: next.environment ?? '', deployments, isMore: newer.length > mostAhead }
}

/** Whether both have the same commit or, if one of them has none, the same version. */
function isSameRelease(one: Recent, other: Recent): boolean {
  if (one.commit !== undefined && other.commit !== undefined) {
    const [a, b] = [one.commit.toLowerCase(), other.commit.toLowerCase()]
    return a.startsWith(b) || b.startsWith(a)
  }
  return one.version !== undefined && one.version === other.version
}
