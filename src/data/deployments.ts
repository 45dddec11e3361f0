import { eq, type SQL, sql } from 'drizzle-orm'
import { type Db, inMs } from '../database/db.ts'
import type { User } from '../domain/account/user.ts'
import type { Deployment, Verification } from '../domain/deployment.ts'
import type { OwnOrder } from '../domain/environment/stages.ts'
import { type ReleaseField, releaseFields, releaseOf } from '../domain/release/release.ts'
import { type Replaced, replacedBy } from '../domain/release/rollback.ts'
import { isAccount } from './account/tables.ts'
import { allRows, oneValue } from './statements.ts'
import { deployments } from './tables.ts'

export type PosterRow = {
  readonly user_id: number
  readonly username: string
  readonly name: string
  /** Missing where no order is asked for. */
  readonly environment_order?: OwnOrder
}

/** A deployment without its poster. */
export type OwnRow = Pick<Deployment, 'id' | 'message' | 'url' | 'category'> &
  ReleaseRow & {
    readonly deployed_at_ms: number
    readonly verified: VerifiedColumn
    /** Missing where only what was announced is read. */
    readonly earlier?: EarlierColumn
  }

export type DeploymentRow = OwnRow & PosterRow

export type FoundRow = DeploymentRow & { readonly scopes: readonly string[] }

/** The issuer, the repository and the workflow, the last of which may be missing. */
export type VerifiedColumn = readonly (string | null)[] | null

/** The id, version and commit of each release before it in its environment, the newest first; null if there is none. */
export type EarlierColumn =
  | readonly (readonly [id: number, version: string | null, commit: string | null])[]
  | null

type ReleaseRow = Readonly<Record<ReleaseField, string | null>>

/** The columns that were announced. `verified` is JSON, because the drivers read arrays differently. */
const announcedColumns = sql`
  deployments.id, message, url, category, ${sql.raw(releaseFields.join(', '))},
  ${inMs(sql`deployed_at`)} as deployed_at_ms, to_jsonb(verified) as verified`

/** The columns of a deployment itself, and what it replaced, which takes a probe of an index. */
export const ownColumns = sql`
  ${announcedColumns},
  earlier_releases(deployments.user_id, deployments.target, deployments.environment, deployments.id) as earlier`

/** In the place of these columns, where a union has removals too. */
export function removalColumns(id: SQL, deployedAt = sql`null`): SQL {
  const release = sql.raw(releaseFields.map(() => 'null').join(', '))
  return sql`${id}, null, null, null, ${release}, ${deployedAt}, null, null`
}

const posterColumns = sql`users.id as user_id, username, name, to_jsonb(environment_order) as environment_order`
const readOfPoster = sql`id, username, name, environment_order`

export const deploymentColumns = sql`${ownColumns}, ${posterColumns}`

/** Without what they replaced, which readers of very many deployments do not need. */
export const announcedDeploymentColumns = sql`${announcedColumns}, ${posterColumns}`

/** A part of a statement that reads the poster only once, for rows that are all of this user. */
export function posterOf(userId: number): SQL {
  return sql`with users as materialized (select ${readOfPoster} from users where id = ${userId})`
}

/** Joins the poster of each row. Lateral and limited, so that this is a probe for each and never a read of all users. */
export const posterOfEach = sql`
  cross join lateral (select ${readOfPoster} from users where id = deployments.user_id limit 1) users`

/** The deployments of a relation with all columns of `deployments`, which are all of one user, the newest first. */
export function withPoster(relation: SQL, userId: number): SQL {
  return sql`
    ${posterOf(userId)}
    select ${deploymentColumns} from (${relation}) deployments cross join users order by deployments.id desc`
}

/** The deployments of a relation with all columns of `deployments`, with their posters, the newest first. */
export function withPosters(relation: SQL, more = sql``): SQL {
  return sql`
    select ${deploymentColumns}${more} from (${relation}) deployments ${posterOfEach}
    order by deployments.id desc`
}

/** The deployment of a row, with its instant to the millisecond. */
export function deploymentOf(row: DeploymentRow): Deployment {
  const { id, message, url, category } = row
  return {
    ...{ id, message, url, category, ...releaseOf(row) },
    deployedAt: new Date(row.deployed_at_ms),
    poster: posterIn(row),
    verified: verifiedOf(row.verified),
    replaced: replacedOf(row, row.earlier),
  }
}

/** The user in such a row. */
export function posterIn({ user_id, username, name, environment_order }: PosterRow): User {
  return { id: user_id, username, name, environmentOrder: environment_order }
}

/** What a release replaced, given those before it; null if it is the first, or if they were not read. */
export function replacedOf(
  release: Parameters<typeof releaseOf>[0],
  earlier: EarlierColumn = null,
): Replaced | null {
  return replacedBy(
    releaseOf(release),
    (earlier ?? []).map(([id, version, commit]) => ({ id, ...releaseOf({ version, commit }) })),
  )
}

/** What was verified of a deployment; null if nothing was. */
export function verifiedOf(column: VerifiedColumn): Verification | null {
  const [issuer = null, repository = null, workflow = null] = column ?? []
  return issuer === null || repository === null ? null : { issuer, repository, workflow }
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
  const { userId, deployedAt, url, project, environment } = deployments
  const columns = { userId, deployedAt, url, project, environment }
  const [found] = await db.readPrimary((queries) =>
    queries.select(columns).from(deployments).where(eq(deployments.id, id)),
  )
  if (found === undefined) return null
  return { ...found, project: found.project ?? undefined, environment: found.environment ?? undefined }
}

/** Withdraws a deployment of its poster; false if the user has no such deployment. */
export async function withdrawDeployment(db: Db, of: { userId: number; id: number }): Promise<boolean> {
  const { userId, id } = of
  return await db.write(oneValue<boolean>(sql`select withdraw_deployment(${userId}, ${id}) as is_withdrawn`))
}
