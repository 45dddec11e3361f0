import { sql } from 'drizzle-orm'
import { inMs } from '../database/sql.ts'
import type { Category } from '../domain/category.ts'
import type { Deployment } from '../domain/deployment.ts'
import type { Release, ReleaseField } from '../domain/release.ts'

/** A deployment and its poster from a raw statement, where bigints are strings (but numbers within JSON). */
export type DeploymentRow = {
  readonly id: string | number
  readonly message: string
  readonly url: string | null
  readonly category: Category | null
  readonly deployed_at_ms: number
  readonly user_id: string | number
  readonly username: string
  readonly name: string
} & ReleaseRow

/** A column is null where the field was not given. */
export type ReleaseRow = Readonly<Record<ReleaseField, string | null>>

export const releaseColumns = sql`environment, version, commit`

/** The columns of a deployment and its poster, from the joined tables `deployments` and `users`. */
export const deploymentColumns = sql`
  deployments.id, message, url, category, ${releaseColumns}, ${inMs(sql`deployed_at`)} as deployed_at_ms,
  users.id as user_id, username, name`

/** The deployment of a row, with its instant to the millisecond. */
export function deploymentOf(row: DeploymentRow): Deployment {
  const { message, url, category, username, name } = row
  const poster = { id: Number(row.user_id), username, name }
  const deployedAt = new Date(row.deployed_at_ms)
  return { id: Number(row.id), message, url, category, ...releaseOf(row), deployedAt, poster }
}

/** What was given of these, from their columns. */
export function releaseOf({ environment, version, commit }: ReleaseRow): Release {
  return {
    environment: environment ?? undefined,
    version: version ?? undefined,
    commit: commit ?? undefined,
  }
}
