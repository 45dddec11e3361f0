import { environmentKey } from '../environment/environment.ts'
import type { Named } from '../release/release.ts'
import { earlierReleases, replacedBy } from '../release/rollback.ts'
import { utcDayOf } from '../time.ts'

/** A deployment to an environment of a target. */
export type Placed = Named & {
  readonly id: number
  readonly deployedAt: Date
  readonly target: string
  readonly environment: string
}

/** How many of these deployments were rollbacks on each UTC day that had any. Takes the newest first. */
export function rollbacksByDay(deployments: readonly Placed[]): ReadonlyMap<number, number> {
  const rollbacks = new Map<number, number>()
  const places = Map.groupBy(
    deployments,
    ({ target, environment }) => `${environmentKey(environment)} ${target}`,
  )
  for (const there of places.values()) {
    for (const [n, one] of there.entries()) {
      const replaced = replacedBy(one, there.slice(n + 1, n + 1 + earlierReleases))
      if (replaced?.step !== 'back') continue
      const day = utcDayOf(one.deployedAt)
      rollbacks.set(day, (rollbacks.get(day) ?? 0) + 1)
    }
  }
  return rollbacks
}
