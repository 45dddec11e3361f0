import type { User } from './account/user.ts'
import type { Category } from './category.ts'
import { type Field, fieldOf, parseText, valid } from './field.ts'
import { oneLineProblems } from './text.ts'
import { timestampOf } from './time.ts'

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
} & Release

/** What an issuer proved of a deployment: this workflow of the repository of its link announced it. */
export type Verification = {
  readonly issuer: string
  readonly repository: string
  /** Null if the identity named none. */
  readonly workflow: string | null
}

/** The deployment before or after another one. */
export type Neighbour = { readonly id: number; readonly message: string; readonly deployedAt: Date }

/** The environment, version and commit of a deployment; each is missing if it was not sent. */
export type Release = {
  /** As it was sent; environments are compared by `environmentKey`. */
  readonly environment?: string | undefined
  readonly version?: string | undefined
  readonly commit?: string | undefined
}

/** How long after an announcement a token may withdraw it. Its poster may do so at any time, on its page. */
export const withdrawableHours = 24

/** Whether a token may still withdraw a deployment (docs/decisions.md#read). */
export function isWithdrawable(deployedAt: Date, now: Date): boolean {
  return now.getTime() - deployedAt.getTime() <= withdrawableHours * 3_600_000
}

export type ReleaseField = keyof Release

export const maxEnvironmentCharacters = 64
export const maxVersionCharacters = 128

/** The characters of an environment, as a pattern and in words. */
export const environmentPattern = `^[A-Za-z0-9._/-]{1,${maxEnvironmentCharacters}}$`
export const environmentRule = `1 to ${maxEnvironmentCharacters} of A-Z, a-z, 0-9 and . _ / -`

export const commitPattern = '^[0-9A-Fa-f]{7,64}$'

/** The reasons to refuse each field, empty if it is valid (docs/decisions.md#announce). */
const problemsOf: Readonly<Record<ReleaseField, (text: string) => string[]>> = {
  environment: (text) => (isEnvironment(text) ? [] : [`must be ${environmentRule}`]),
  version: (text) => oneLineProblems(text, maxVersionCharacters),
  commit: (text) => (new RegExp(commitPattern).test(text) ? [] : ['must be 7 to 64 hexadecimal digits']),
}

/** Reads one of these fields of a body; an empty one counts as missing. */
export function parseReleaseField(name: ReleaseField, value: unknown): Field<string | undefined> {
  const text = parseText(value)
  if (text.outcome === 'invalid') return text
  return text.value === '' ? valid(undefined) : fieldOf(text.value, problemsOf[name](text.value))
}

/** Whether a text may be the name of an environment. */
export function isEnvironment(text: string): boolean {
  return new RegExp(environmentPattern).test(text)
}

/** The form in which environments are compared. */
export function environmentKey(environment: string): string {
  return environment.toLowerCase()
}

/** Whether the deployment with this id is from history (domain/history.ts). */
export function isImported(id: number): boolean {
  return id < 0
}

/**
 * A deployment as the API returns it (docs/decisions.md#announce). JSON omits fields that were not given. One
 * that was only checked has no id and no page.
 */
export function recordOf(
  deployment: Omit<Deployment, 'id'> & { readonly id: number | null },
  baseUrl: string,
) {
  const { id, message, url, category, environment, version, commit, deployedAt, poster, verified } =
    deployment
  return {
    id,
    message,
    url,
    category,
    environment,
    version,
    commit,
    deployed_at: timestampOf(deployedAt),
    user: { id: poster.id, name: poster.name },
    username: poster.username,
    status: 'success',
    imported: id !== null && isImported(id) ? true : undefined,
    verified: verified ?? undefined,
    page: id === null ? null : pageOf({ id, poster }, baseUrl),
  }
}

/** The permanent address of a deployment. */
export function pageOf({ id, poster }: Pick<Deployment, 'id' | 'poster'>, baseUrl: string): string {
  return `${baseUrl}/${poster.username}/${id}`
}
