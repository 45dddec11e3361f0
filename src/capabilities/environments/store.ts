import { sql } from 'drizzle-orm'
import { type DeploymentRow, deploymentOf, withPoster } from '../../data/deployments.ts'
import { facetValues } from '../../data/facets.ts'
import { newestIn } from '../../data/feed-pages.ts'
import { allRows } from '../../data/statements.ts'
import type { Db } from '../../database/db.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { environmentKey } from '../../domain/environment/environment.ts'

/** One of the two that are compared: what is live in an environment, or one deployment. */
export type Side = { readonly environment: string } | { readonly id: number }

export type OfTarget = { readonly userId: number; readonly target: string }

/** What is live in an environment of a target, or the deployment with an id to any of its environments; or null. */
export async function findSide(db: Db, { userId, target }: OfTarget, side: Side): Promise<Deployment | null> {
  const chosen =
    'environment' in side
      ? newestIn(partOf({ userId, target }, side.environment), 1)
      : sql`
          select * from deployments
          where id = ${side.id}::bigint and user_id = ${userId}::bigint and target = ${target}
            and environment is not null`
  const [row] = await db.read(allRows<DeploymentRow>(withPoster(chosen, userId)))
  return row === undefined ? null : deploymentOf(row)
}

/** The newest deployments of a target to the environment of one of them, up to that one. */
export async function listUpTo(
  db: Db,
  of: OfTarget,
  { id, environment = '' }: Deployment,
  limit: number,
): Promise<readonly Deployment[]> {
  const newest = newestIn(partOf(of, environment), limit, undefined, id + 1)
  return (await db.read(allRows<DeploymentRow>(withPoster(newest, of.userId)))).map(deploymentOf)
}

function partOf({ userId, target }: OfTarget, environment: string) {
  const by = facetValues({ environment: environmentKey(environment) })
  return { userId: sql`${userId}::bigint`, target: sql`${target}::text`, by }
}
