import type { User } from './account/user.ts'
import type { Category } from './category.ts'
import { compareReplaced } from './release/comparison.ts'
import { type Release, releaseOf } from './release/release.ts'
import type { Replaced } from './release/rollback.ts'
import { hour, timestampOf } from './time.ts'

/** One announcement as it is stored and shown. */
export type Deployment = {
  readonly id: number
  readonly message: string
  readonly url: string | null
  readonly category: Category | null
  readonly deployedAt: Date
  readonly poster: User
  /** What an identity proved of it (docs/decisions.md#publishers); null or missing for nothing. */
  readonly verified?: Verification | null
  /** What it replaced; null or missing if it was the first in its environment, or has no project or environment. */
  readonly replaced?: Replaced | null
} & Release

/** An issuer proved that this workflow of the repository of the link announced a deployment. */
export type Verification = {
  readonly issuer: string
  readonly repository: string
  /** Null if the identity named none. */
  readonly workflow: string | null
}

/** The deployment before or after another one. */
export type Neighbour = { readonly id: number; readonly message: string; readonly deployedAt: Date }

/** How long after an announcement a token may withdraw it. Its poster may do so at any time, on its page. */
export const withdrawableHours = 24

/** Whether a token may still withdraw a deployment (docs/decisions.md#read). */
export function isWithdrawable(deployedAt: Date, now: Date): boolean {
  return now.getTime() - deployedAt.getTime() <= withdrawableHours * hour
}

/** Whether the deployment with this id is from history (domain/imported.ts). */
export function isImported(id: number): boolean {
  return id < 0
}

/** A deployment as the API returns it (docs/decisions.md#announce), without an id if it was only checked. */
export function recordOf(
  deployment: Omit<Deployment, 'id'> & { readonly id: number | null },
  baseUrl: string,
) {
  const { id, message, url, category, deployedAt, poster, verified } = deployment
  return {
    ...{ id, message, url, category, ...releaseOf(deployment) },
    deployed_at: timestampOf(deployedAt),
    user: { id: poster.id, name: poster.name },
    username: poster.username,
    status: 'success',
    imported: id !== null && isImported(id) ? true : undefined,
    verified: verified ?? undefined,
    ...comparisonOf(deployment, baseUrl),
    page: id === null ? null : pageOf({ id, poster }, baseUrl),
  }
}

/** The members of a record that say what a deployment replaced, with the page on the forge that compares both. */
function comparisonOf(deployment: Omit<Deployment, 'id'>, baseUrl: string) {
  const { poster, replaced } = deployment
  if (!replaced) return {}
  const { id, version, commit, step } = replaced
  return {
    previous: { id, version, commit, page: pageOf({ id, poster }, baseUrl) },
    rollback: step === 'back' ? true : undefined,
    compare: compareReplaced(deployment) ?? undefined,
  }
}

/** The permanent address of a deployment. */
export function pageOf({ id, poster }: Pick<Deployment, 'id' | 'poster'>, baseUrl: string): string {
  return `${baseUrl}/${poster.username}/${id}`
}
