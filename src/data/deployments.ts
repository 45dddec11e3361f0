import { eq, type SQL, sql } from 'drizzle-orm'
import { type Db, inMs, type Queries } from '../database/db.ts'
import type { Deployment, Verification } from '../domain/deployment.ts'
import type { Release, ReleaseField } from '../domain/release.ts'
import { isAccount } from './account/schema.ts'
import { deployments } from './schema.ts'
import { allRows, oneValue } from './statements.ts'

export type PosterRow = { readonly user_id: number; readonly username: string; readonly name: string }

/** A deployment without its poster. */
export type OwnRow = Pick<Deployment, 'id' | 'message' | 'url' | 'category'> &
  ReleaseRow & { readonly deployed_at_ms: number; readonly verified: VerifiedColumn }

export type DeploymentRow = OwnRow & PosterRow

/** A deployment with its scopes. */
export type FoundRow = DeploymentRow & { readonly scopes: readonly string[] }

/** The issuer, the repository and the workflow, the last of which may be missing. */
export type VerifiedColumn = readonly (string | null)[] | null

type ReleaseRow = Readonly<Record<ReleaseField, string | null>>

/** The columns of a deployment itself. `verified` is JSON, because the drivers read arrays differently. */
export const ownColumns = sql`
  deployments.id, message, url, category, environment, version, commit, ${inMs(sql`deployed_at`)} as deployed_at_ms,
  to_jsonb(verified) as verified`

export const deploymentColumns = sql`${ownColumns}, users.id as user_id, username, name`

/** A part of a statement that reads the poster only once, for rows that are all of this user. */
export function posterOf(userId: number): SQL {
  return sql`with users as materialized (select id, username, name from users where id = ${userId})`
}

/** The deployments of a relation with all columns of `deployments`, which are all of one user, the newest first. */
export function withPoster(relation: SQL, userId: number): SQL {
  return sql`
    ${posterOf(userId)}
    select ${deploymentColumns} from (${relation}) deployments cross join users order by deployments.id desc`
}

/** The deployments of a relation with all columns of `deployments`, with their posters, the newest first. */
export function withPosters(relation: SQL, more = sql``): SQL {
  return sql`
    select ${deploymentColumns}${more} from (${relation}) deployments
    -- Lateral and limited, so that this is a probe for each deployment and never a read of all users.
    cross join lateral (select id, username, name from users where id = user_id limit 1) users
    order by deployments.id desc`
}

/** The deployment of a row, with its instant to the millisecond. */
export function deploymentOf(row: DeploymentRow): Deployment {
  const { id, message, url, category, user_id, username, name } = row
  return {
    ...{ id, message, url, category, ...releaseOf(row) },
    deployedAt: new Date(row.deployed_at_ms),
    poster: { id: user_id, username, name },
    verified: verifiedOf(row.verified),
  }
}

/** What was verified of a deployment; null if nothing was. */
export function verifiedOf(column: VerifiedColumn): Verification | null {
  const [issuer = null, repository = null, workflow = null] = column ?? []
  return issuer === null || repository === null ? null : { issuer, repository, workflow }
}

/** The fields of a release that were given. */
export function releaseOf({ environment: env, version, commit }: ReleaseRow): Release {
  return { environment: env ?? undefined, version: version ?? undefined, commit: commit ?? undefined }
}

/** One deployment of any user by its id; null if there is none. */
export async function findPosted(db: Db, id: number): Promise<Deployment | null> {
  const statement = sql`
    select ${deploymentColumns} from deployments join users on users.id = deployments.user_id
    where deployments.id = ${id} and ${isAccount}`
  const [row] = await db.read(allRows<DeploymentRow>(statement))
  return row === undefined ? null : deploymentOf(row)
}

/** How many deployments a user has, as the sum of the daily counts. */
export async function countDeployments(db: Db, userId: number): Promise<number> {
  const statement = sql`select coalesce(sum(deployments), 0) as count from daily_deployments where user_id = ${userId}`
  return await db.readPrimary(oneValue<number>(statement))
}

/** What decides whether a token may withdraw a deployment; null if there is no such deployment. */
export async function findWithdrawable(db: Db, id: number) {
  const { userId, deployedAt, scopes, environment } = deployments
  const read = (queries: Queries) =>
    queries
      .select({ userId, deployedAt, scopes, environment })
      .from(deployments)
      .where(eq(deployments.id, id))
  const [found] = await db.readPrimary(async (queries) => await read(queries))
  return found ?? null
}

/** Withdraws a deployment of its poster; false if the user has no such deployment. */
export async function withdrawDeployment(db: Db, of: { userId: number; id: number }): Promise<boolean> {
  const { userId, id } = of
  return await db.write(oneValue<boolean>(sql`select withdraw_deployment(${userId}, ${id}) as is_withdrawn`))
}
