import type { Claims } from './claims.ts'
import type { Issuer, IssuerKind } from './issuer.ts'

/** What a token proves. */
export type Identity = {
  /** Or of an issuer that is no forge, the whole `sub`. */
  readonly repository: string
  /** The numbers behind its name and its owner's. */
  readonly repositoryId: string | null
  readonly ownerId: string | null
  readonly workflow: string | null
  readonly environment: string | null
  /** What started the run, as the forge calls it. */
  readonly event: string | null
}

/** Which claim tells what of an identity, by the kind of the issuer. `sub` is never taken apart: it has had two forms. */
export const claimNames = {
  github: {
    repository: 'repository',
    repositoryId: 'repository_id',
    ownerId: 'repository_owner_id',
    workflow: 'workflow_ref',
    environment: 'environment',
    event: 'event_name',
  },
  gitlab: {
    repository: 'project_path',
    repositoryId: 'project_id',
    ownerId: 'namespace_id',
    workflow: 'ci_config_ref_uri',
    environment: 'environment',
    event: 'pipeline_source',
  },
  other: {
    repository: 'sub',
    repositoryId: null,
    ownerId: null,
    workflow: null,
    environment: null,
    event: null,
  },
} as const satisfies Record<IssuerKind, Record<keyof Identity, string | null>>

/** What a token of this issuer proves, or why it proves nothing (docs/decisions.md#publishers). */
export function identityOf(
  { kind }: Issuer,
  claims: Claims,
): { readonly identity: Identity } | { readonly reason: string } {
  const names = claimNames[kind]
  const required = [names.repository, names.repositoryId, names.ownerId, names.event].filter(
    (name) => name !== null,
  )
  const missing = required.find((name) => !isText(claims[name]))
  if (missing !== undefined) return { reason: `The claim ${missing} is missing.` }
  const repository = String(claims[names.repository])
  const textOf = (name: string | null) => (name !== null && isText(claims[name]) ? claims[name] : null)
  return {
    identity: {
      repository,
      repositoryId: textOf(names.repositoryId),
      ownerId: textOf(names.ownerId),
      workflow: workflowOf(textOf(names.workflow), repository),
      environment: textOf(names.environment),
      event: textOf(names.event),
    },
  }
}

/**
 * From `ada/engine/.github/workflows/deploy.yml@refs/…` to `deploy.yml`, and from
 * `gitlab.com/ada/engine//.gitlab-ci.yml@refs/…` to `.gitlab-ci.yml`. One from elsewhere stays whole, so that
 * it is not taken for the repository's own.
 */
function workflowOf(reference: string | null, repository: string): string | null {
  if (reference === null) return null
  const path = reference.split('@')[0] ?? ''
  const gitHub = `${repository}/.github/workflows/`.toLowerCase()
  if (path.toLowerCase().startsWith(gitHub)) return path.slice(gitHub.length)
  const [project = '', file] = path.split('//')
  const isOwn = project.slice(project.indexOf('/') + 1).toLowerCase() === repository.toLowerCase()
  return file !== undefined && isOwn ? file : path
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && /^\P{Cc}{1,500}$/u.test(value)
}
