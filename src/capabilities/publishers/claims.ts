import { actorFrom } from '../../domain/account/actor.ts'
import type { Verification } from '../../domain/deployment.ts'
import { forgeOf, type Issuer, type IssuerKind } from '../../domain/issuer.ts'
import { parseReleaseField, type ReleaseField } from '../../domain/release/release.ts'
import { isTooLong } from '../../domain/text-bounds.ts'

/** Between the clocks of an issuer and the database, in `exp`, `nbf` and `iat`. */
export const clockToleranceSeconds = 60

export type Identity = {
  /** The whole `sub` if the issuer is no forge. */
  readonly repository: string
  /** Numeric, as is `ownerId`. */
  readonly repositoryId: string | null
  readonly ownerId: string | null
  readonly workflow: string | null
  readonly environment: string | null
  readonly commit: string | null
  readonly tag: string | null
  /** Who started the run. */
  readonly actor: string | null
  readonly claims: Claims
  /** Why the run may execute code of someone without push access; null if it cannot. */
  readonly untrusted: string | null
}

type ClaimNames = { readonly repository: string } & Partial<
  Record<'repositoryId' | 'ownerId' | 'workflow' | 'environment' | 'commit' | 'event' | 'actor', string>
>

/** The `sub` of a forge is never parsed, because its form has changed before. */
export const claimNames: Readonly<Record<IssuerKind, ClaimNames>> = {
  github: {
    repository: 'repository',
    repositoryId: 'repository_id',
    ownerId: 'repository_owner_id',
    workflow: 'workflow_ref',
    environment: 'environment',
    commit: 'sha',
    event: 'event_name',
    actor: 'actor',
  },
  gitlab: {
    repository: 'project_path',
    repositoryId: 'project_id',
    ownerId: 'namespace_id',
    workflow: 'ci_config_ref_uri',
    environment: 'environment',
    commit: 'sha',
    event: 'pipeline_source',
    actor: 'user_login',
  },
  buildkite: {
    repository: 'sub',
    repositoryId: 'pipeline_id',
    ownerId: 'organization_id',
    commit: 'build_commit',
  },
  circleci: { repository: 'sub', repositoryId: 'oidc.circleci.com/project-id' },
  other: { repository: 'sub' },
}

/** The identity that a token of this issuer proves, or the reason why it proves none (docs/decisions.md#publishers). */
export function identityOf(
  { kind }: Issuer,
  claims: Claims,
):
  | { readonly outcome: 'identified'; readonly identity: Identity }
  | { readonly outcome: 'refused'; readonly reason: string } {
  const names = claimNames[kind]
  const required = [names.repository, names.repositoryId, names.ownerId, names.event]
  const missing = required.find((name) => name !== undefined && textIn(claims[name]) === null)
  if (missing !== undefined) return { outcome: 'refused', reason: `The claim ${missing} is missing.` }
  const repository = String(claims[names.repository])
  const textOf = (name?: string) => (name === undefined ? null : textIn(claims[name]))
  return {
    outcome: 'identified',
    identity: {
      repository,
      repositoryId: textOf(names.repositoryId),
      ownerId: textOf(names.ownerId),
      workflow: workflowOf(kind, textOf(names.workflow), repository),
      environment: textOf(names.environment),
      commit: textOf(names.commit),
      tag: textIn(tagOf(kind, claims)),
      actor: textOf(names.actor),
      claims,
      untrusted: untrustedReason(kind, claims),
    },
  }
}

/** A request from a fork runs the code of the fork, but its token may name the parent. */
const requestEvents: Readonly<Partial<Record<IssuerKind, readonly unknown[]>>> = {
  github: ['pull_request', 'pull_request_target', 'pull_request_review', 'pull_request_review_comment'],
  gitlab: ['merge_request_event', 'external_pull_request_event'],
}

const refClaims: Readonly<Record<IssuerKind, readonly string[]>> = {
  github: ['ref', 'workflow_ref', 'job_workflow_ref'],
  gitlab: ['ref', 'ref_path', 'ci_config_ref_uri'],
  buildkite: [],
  circleci: ['oidc.circleci.com/vcs-ref'],
  other: [],
}

function untrustedReason(kind: IssuerKind, claims: Claims): string | null {
  const because = (name: string, reason: string) =>
    `The claim ${name} is ${quoted(claims[name])}, and ${reason}.`
  const { event } = claimNames[kind]
  if (event !== undefined && requestEvents[kind]?.includes(claims[event])) {
    return because(event, 'such runs may not announce')
  }
  // No branch has a colon in its name. With a colon, this is "somebody:branch", a branch of a fork.
  if (kind === 'buildkite' && String(claims.build_branch).includes(':')) {
    return because('build_branch', 'builds of forks may not announce')
  }
  const isEntered = 'oidc.circleci.com/ssh-rerun'
  if (kind === 'circleci' && claims[isEntered] === true) {
    return because(isEntered, 'a job that a person can enter may not announce')
  }
  const requested = refClaims[kind].find((name) =>
    /^refs\/(pull|merge-requests)\//.test(splitReference(String(claims[name])).ref),
  )
  if (requested !== undefined) return because(requested, 'runs for pull and merge requests may not announce')
  // The child pipeline of a merge request does not identify itself as one, and its ref is the fork's branch.
  const isChild = kind === 'gitlab' && claims.pipeline_source === 'parent_pipeline'
  return isChild && String(claims.ref_protected) !== 'true'
    ? because('ref_protected', 'a child pipeline may announce only from protected branches and tags')
    : null
}

function tagOf(kind: IssuerKind, claims: Claims): unknown {
  if (kind === 'buildkite') return claims.build_tag
  if (kind === 'gitlab') return claims.ref_type === 'tag' ? claims.ref : null
  if (kind === 'other') return null
  const ref = kind === 'github' ? claims.ref : claims['oidc.circleci.com/vcs-ref']
  return /^refs\/tags\/(.+)$/.exec(String(ref))?.[1]
}

/**
 * The file of a workflow from its reference, such as `ada/engine/.github/workflows/deploy.yml@refs/…` or
 * `gitlab.com/ada/engine//.gitlab-ci.yml@refs/…`. That of another repository keeps its whole path, so that
 * nobody takes it for the repository's own.
 */
function workflowOf(kind: IssuerKind, reference: string | null, repository: string): string | null {
  if (reference === null) return null
  const { path } = splitReference(reference)
  const own = kind === 'github' ? `${repository}/.github/workflows/` : `${repository}//`
  const inForge = kind === 'github' ? path : path.slice(path.indexOf('/') + 1)
  return inForge.toLowerCase().startsWith(own.toLowerCase()) ? inForge.slice(own.length) : path
}

/** Splits at the last `@refs/`, because a path may contain that text. */
function splitReference(reference: string): { readonly path: string; readonly ref: string } {
  const [, path = reference, ref = ''] = /^(?:(.*)@)?(refs\/.*)$/s.exec(reference) ?? []
  return { path, ref }
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && !isTooLong(value, 'claim') && /^\P{Cc}+$/u.test(value) ? value : null
}

export type Claims = Readonly<Record<string, unknown>>

/** Why a standard claim is refused, for this audience and instant. */
export function claimReason(claim: string, claims: Claims, audience: string, now: Date): string {
  const time = `and it is ${Math.floor(now.getTime() / 1_000)} now`
  const wanted: Readonly<Record<string, string>> = {
    aud: `and must be only ${quoted(audience)}`,
    exp: time,
    nbf: time,
    iat: time,
    jti: 'and must have 1 to 255 visible ASCII characters',
  }
  return `The claim ${claim} is ${quoted(claims[claim])}, ${wanted[claim] ?? 'which is not allowed'}.`
}

/** The value of a claim on one line, shortened to 200 characters. */
export function quoted(value: unknown): string {
  if (value === undefined || value === null) return 'missing'
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

export type Vouched = ReturnType<typeof vouchedBy>

/** What the identity says of announcements with its token (docs/decisions.md#publishers), without invalid texts. */
export function vouchedBy(issuer: Issuer, identity: Identity) {
  const { repository, workflow, environment, commit, tag, actor } = identity
  const verified: Verification = { issuer: issuer.address, repository, workflow }
  return {
    /** Fills what an announcement leaves out. */
    release: {
      environment: textFor('environment', environment),
      version: textFor('version', tag),
      commit: textFor('commit', commit),
      actor: actorFrom(actor),
    },
    /** The address, without scheme, below which links are verified; null if the issuer is no forge. */
    verifies: addressOf(forgeOf(issuer), repository),
    verified,
  }
}

function textFor(name: ReleaseField, text: string | null): string | undefined {
  const read = parseReleaseField(name, text ?? '')
  return read.outcome === 'valid' ? read.value : undefined
}

/** Null for a name that could make a link seem to lie below it. */
function addressOf(forge: string | null, repository: string): string | null {
  const isName = /^[\w.~-]+(\/[\w.~-]+)+$/.test(repository) && !/(^|\/)\.{1,2}(\/|$)/.test(repository)
  return forge !== null && isName ? `${forge}/${repository}`.toLowerCase() : null
}
