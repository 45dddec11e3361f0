import type { Issuer, IssuerKind } from './issuer.ts'

/** The tolerated difference between an issuer's clock and the database's, in `exp`, `nbf` and `iat`. */
export const clockToleranceSeconds = 60

type Forge = 'github' | 'gitlab'

/** The identity that a token proves. */
export type Identity = {
  /** The name of the repository, or the whole `sub` if the issuer is no forge. */
  readonly repository: string
  /** The numeric ids of the repository and its owner. */
  readonly repositoryId: string | null
  readonly ownerId: string | null
  readonly workflow: string | null
  readonly environment: string | null
  readonly commit: string | null
  readonly tag: string | null
  readonly claims: Claims
  /** The reason not to trust the run, which may execute code of someone without push access; null if it cannot. */
  readonly untrusted: string | null
}

type Claimed = Exclude<keyof Identity, 'untrusted' | 'tag' | 'claims'> | 'event'

/** The claims of an issuer that is no forge. */
const ofSub = {
  repository: 'sub',
  repositoryId: null,
  ownerId: null,
  workflow: null,
  environment: null,
  commit: null,
  event: null,
} as const

/**
 * The claim for each member of an identity, by the kind of issuer. The `sub` of a forge is never parsed, because
 * its form has changed before.
 */
export const claimNames = {
  github: {
    repository: 'repository',
    repositoryId: 'repository_id',
    ownerId: 'repository_owner_id',
    workflow: 'workflow_ref',
    environment: 'environment',
    commit: 'sha',
    event: 'event_name',
  },
  gitlab: {
    repository: 'project_path',
    repositoryId: 'project_id',
    ownerId: 'namespace_id',
    workflow: 'ci_config_ref_uri',
    environment: 'environment',
    commit: 'sha',
    event: 'pipeline_source',
  },
  buildkite: {
    ...ofSub,
    repositoryId: 'pipeline_id',
    ownerId: 'organization_id',
    commit: 'build_commit',
  },
  circleci: { ...ofSub, repositoryId: 'oidc.circleci.com/project-id' },
  other: ofSub,
} as const satisfies Record<IssuerKind, Record<Claimed, string | null>>

/**
 * The identity that a token of this issuer proves, or the reason why it proves none
 * (docs/decisions.md#publishers).
 */
export function identityOf(
  { kind }: Issuer,
  claims: Claims,
):
  | { readonly outcome: 'identified'; readonly identity: Identity }
  | { readonly outcome: 'refused'; readonly reason: string } {
  const names = claimNames[kind]
  const required = [names.repository, names.repositoryId, names.ownerId, names.event].filter(
    (name) => name !== null,
  )
  const missing = required.find((name) => !isText(claims[name]))
  if (missing !== undefined) return { outcome: 'refused', reason: `The claim ${missing} is missing.` }
  const repository = String(claims[names.repository])
  const textOf = (name: string | null) => (name !== null && isText(claims[name]) ? claims[name] : null)
  return {
    outcome: 'identified',
    identity: {
      repository,
      repositoryId: textOf(names.repositoryId),
      ownerId: textOf(names.ownerId),
      workflow: workflowOf(kind, textOf(names.workflow), repository),
      environment: textOf(names.environment),
      commit: textOf(names.commit),
      tag: tagOf(kind, claims),
      claims,
      untrusted: untrustedReason(kind, claims),
    },
  }
}

/**
 * The events of pull and merge requests. A request from a fork runs the fork's code with a token that names
 * the parent: older GitLabs name the parent in project_path, and a private GitHub repository may allow it.
 */
const requestEvents: Readonly<Record<Forge, readonly unknown[]>> = {
  github: ['pull_request', 'pull_request_target', 'pull_request_review', 'pull_request_review_comment'],
  gitlab: ['merge_request_event', 'external_pull_request_event'],
}

/** The claims that contain the ref of a run, or of its workflow. */
const refClaims: Readonly<Record<IssuerKind, readonly string[]>> = {
  github: ['ref', 'workflow_ref', 'job_workflow_ref'],
  gitlab: ['ref', 'ref_path', 'ci_config_ref_uri'],
  buildkite: [],
  circleci: ['oidc.circleci.com/vcs-ref'],
  other: [],
}

function untrustedReason(kind: IssuerKind, claims: Claims): string | null {
  const stated = (name: string) => `The claim ${name} is ${quoted(claims[name])}`
  if (kind === 'github' || kind === 'gitlab') {
    const event = claimNames[kind].event
    if (requestEvents[kind].includes(claims[event]))
      return `${stated(event)}, and such runs may not announce.`
  }
  // No branch has a colon in its name. With a colon, this is "somebody:branch", a branch of a fork.
  if (kind === 'buildkite' && String(claims.build_branch).includes(':')) {
    return `${stated('build_branch')}, and builds of forks may not announce.`
  }
  const isEntered = 'oidc.circleci.com/ssh-rerun'
  if (kind === 'circleci' && claims[isEntered] === true) {
    return `${stated(isEntered)}, and a job that a person can enter may not announce.`
  }
  const requested = refClaims[kind].find((name) =>
    /^refs\/(pull|merge-requests)\//.test(splitReference(String(claims[name])).ref),
  )
  if (requested !== undefined) {
    return `${stated(requested)}, and runs for pull and merge requests may not announce.`
  }
  // The child pipeline of a merge request does not identify itself as one, and its ref is the fork's branch.
  if (
    kind === 'gitlab' &&
    claims.pipeline_source === 'parent_pipeline' &&
    String(claims.ref_protected) !== 'true'
  ) {
    return `${stated('ref_protected')}, and a child pipeline may announce only from protected branches and tags.`
  }
  return null
}

/** The tag that a run is for; null if it is for none. */
function tagOf(kind: IssuerKind, claims: Claims): string | null {
  const ref = kind === 'circleci' ? claims['oidc.circleci.com/vcs-ref'] : claims.ref
  const [, ofRef = null] = /^refs\/tags\/(.+)$/.exec(String(ref)) ?? []
  if (kind === 'circleci' || kind === 'github') return ofRef
  const tag = kind === 'buildkite' ? claims.build_tag : claims.ref
  const isTag = kind === 'buildkite' || (kind === 'gitlab' && claims.ref_type === 'tag')
  return isTag && isText(tag) ? tag : null
}

/**
 * From `ada/engine/.github/workflows/deploy.yml@refs/…` to `deploy.yml`, and from
 * `gitlab.com/ada/engine//.gitlab-ci.yml@refs/…` to `.gitlab-ci.yml`. The workflow of another repository
 * keeps its whole path, so that it is not mistaken for the repository's own.
 */
function workflowOf(kind: IssuerKind, reference: string | null, repository: string): string | null {
  if (reference === null) return null
  const { path } = splitReference(reference)
  const own = kind === 'github' ? `${repository}/.github/workflows/` : `${repository}//`
  const inForge = kind === 'github' ? path : path.slice(path.indexOf('/') + 1)
  return inForge.toLowerCase().startsWith(own.toLowerCase()) ? inForge.slice(own.length) : path
}

/** Splits at the last `@refs/`, because a path may contain that text and a ref hardly ever does. */
function splitReference(reference: string): { readonly path: string; readonly ref: string } {
  const [, path = reference, ref = ''] = /^(?:(.*)@)?(refs\/.*)$/s.exec(reference) ?? []
  return { path, ref }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && /^\P{Cc}{1,500}$/u.test(value)
}

/** The claims of a token with a valid signature. */
export type Claims = Readonly<Record<string, unknown>>

/** The audience and the instant that an identity token is checked against. */
type Wanted = { readonly audience: string; readonly now: Date }

/** The reason to refuse a token because of one of its standard claims. */
export function claimReason(claim: string, claims: Claims, { audience, now }: Wanted): string {
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
