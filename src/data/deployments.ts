import { eq, type SQL, sql } from 'drizzle-orm'
import { type Db, inMs } from '../database/db.ts'
import type { Bounded } from '../domain/account/token-rights.ts'
import type { Category } from '../domain/category.ts'
import type { Deployment, Verification } from '../domain/deployment.ts'
import type { Release, ReleaseField } from '../domain/release.ts'
import { isAccount } from './account/schema.ts'
import { deployments } from './schema.ts'
import { allRows, oneValue } from './statements.ts'

/** A deployment and its poster from a raw statement. */
export type DeploymentRow = {
  readonly id: number
  readonly message: string
  readonly url: string | null
  readonly category: Category | null
  readonly deployed_at_ms: number
  readonly user_id: number
  readonly username: string
  readonly name: string
  readonly verified: VerifiedColumn
} & ReleaseRow

/** The issuer, the repository and the workflow, the last of which may be missing. */
export type VerifiedColumn = readonly (string | null)[] | null

/** A column is null if its field was not given. */
type ReleaseRow = Readonly<Record<ReleaseField, string | null>>

export const releaseColumns = sql`environment, version, commit`

/** As JSON, because the drivers read arrays differently. */
export const verifiedColumn = sql`to_jsonb(verified) as verified`

/** The columns of a deployment and its poster, from the joined tables `deployments` and `users`. */
export const deploymentColumns = sql`
  deployments.id, message, url, category, ${releaseColumns}, ${inMs(sql`deployed_at`)} as deployed_at_ms,
  ${verifiedColumn}, users.id as user_id, username, name`

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
  const { id, message, url, category, username, name } = row
  const poster = { id: row.user_id, username, name }
  const deployedAt = new Date(row.deployed_at_ms)
  const verified = verifiedOf(row.verified)
  return { id, message, url, category, ...releaseOf(row), deployedAt, poster, verified }
}

/** What was verified of a deployment; null if nothing was. */
export function verifiedOf(column: VerifiedColumn): Verification | null {
  if (column === null) return null
  const [issuer = null, repository = null, workflow = null] = column
  return issuer === null || repository === null ? null : { issuer, repository, workflow }
}

/** The fields of a release that were given. */
export function releaseOf({ environment, version, commit }: ReleaseRow): Release {
  return {
    environment: environment ?? undefined,
    version: version ?? undefined,
    commit: commit ?? undefined,
  }
}

/** One deployment of any user by its id; null if there is none. Throws Unavailable. */
export async function findPosted(db: Db, id: number): Promise<Deployment | null> {
  const [row] = await db.read(
    allRows<DeploymentRow>(sql`
      select ${deploymentColumns} from deployments join users on users.id = deployments.user_id
      where deployments.id = ${id} and ${isAccount}`),
  )
  return row === undefined ? null : deploymentOf(row)
}

/** How many deployments a user has, as the sum of the daily counts. Throws Unavailable. */
export async function countDeployments(db: Db, userId: number): Promise<number> {
  const statement = sql`select coalesce(sum(deployments), 0) as count from daily_deployments where user_id = ${userId}`
  return await db.run(oneValue<number>(statement))
}

/** What decides whether a deployment may be withdrawn by a token. */
export type Withdrawable = Bounded & { readonly userId: number; readonly deployedAt: Date }

/** What decides whether a deployment may be withdrawn; null if there is no such deployment. Throws Unavailable. */
export async function findWithdrawable(db: Db, id: number): Promise<Withdrawable | null> {
  const { userId, deployedAt, scopes, environment } = deployments
  const [found] = await db.run(
    (queries) =>
      queries
        .select({ userId, deployedAt, scopes, environment })
        .from(deployments)
        .where(eq(deployments.id, id)),
    'shared',
    'nothing',
  )
  return found ?? null
}

/**
 * Deletes a deployment of its poster, takes it out of everything that it counted for, and rings the bell unless it
 * is from history. False if the user has no such deployment. One statement does all of it and commits by itself: a
 * call of drizzle/functions/withdraw_deployment.sql.
 */
export async function withdrawDeployment(
  db: Db,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  return await db.run(oneValue<boolean>(sql`select withdraw_deployment(${userId}, ${id}) as is_withdrawn`))
}
