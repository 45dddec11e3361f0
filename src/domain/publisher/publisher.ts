import type { Reasons } from '../field.ts'
import { claimNames, type Identity, quoted } from './identity.ts'
import { forgeOf, type Issuer, type IssuerKind } from './issuer.ts'

/** The pipeline that an owner trusts, as the form describes it; null means any. */
export type TrustedPipeline = {
  readonly issuer: string
  readonly repository: string
  readonly workflow: string | null
  readonly environment: string | null
}

type Fields = Readonly<Record<'issuer' | 'repository' | 'workflow' | 'environment', string>>

const repositories: Readonly<Record<IssuerKind, readonly [form: RegExp, reason: string]>> = {
  github: [/^[\w-]{1,100}\/[\w.-]{1,100}$/, 'must be an owner and a name, such as ada/engine'],
  gitlab: [/^[\w.-]+(\/[\w.-]+)+$/, 'must be a group and a project, such as ada/engine'],
  other: [/^[\x21-\x7e]+$/, 'must be the complete sub of its tokens, without spaces'],
}

const workflows: Readonly<Record<IssuerKind, readonly [form: RegExp, reason: string]>> = {
  github: [/^[^/@\p{Cc}]+\.ya?ml$/u, 'must be the name of a file in .github/workflows, such as deploy.yml'],
  gitlab: [/^[^@\p{Cc}]+\.ya?ml$/u, 'must be the path of the configuration, such as .gitlab-ci.yml'],
  other: [/^$/, 'is not in the tokens of this issuer: leave it empty'],
}

const environments: Readonly<Record<IssuerKind, readonly [form: RegExp, reason: string]>> = {
  github: [/^\P{Cc}+$/u, 'must be one line'],
  gitlab: [/^\P{Cc}+$/u, 'must be one line'],
  other: [/^$/, 'is not in the tokens of this issuer: leave it empty'],
}

const maxCharacters = 255

/**
 * Reads the form of a publisher, whose issuer must be one of `issuers`. Surrounding spaces are ignored, and the
 * address of a repository is read as its name. Gives the pipeline, or the reasons to refuse each field.
 */
export function parsePublisher(
  fields: Fields,
  issuers: readonly Issuer[],
):
  | { readonly outcome: 'valid'; readonly pipeline: TrustedPipeline }
  | { readonly outcome: 'invalid'; readonly reasons: Reasons } {
  const issuer = issuers.find(({ address }) => address === fields.issuer)
  if (issuer === undefined) return { outcome: 'invalid', reasons: { issuer: ['must be one of these'] } }
  const repository = repositoryNameIn(fields.repository.trim(), issuer)
  const workflow = fields.workflow.trim()
  const environment = fields.environment.trim()
  const reasons = {
    ...fieldReasons('repository', repository, repositories[issuer.kind]),
    ...(workflow === '' ? {} : fieldReasons('workflow', workflow, workflows[issuer.kind])),
    ...(environment === '' ? {} : fieldReasons('environment', environment, environments[issuer.kind])),
  }
  if (Object.keys(reasons).length > 0) return { outcome: 'invalid', reasons }
  return {
    outcome: 'valid',
    pipeline: {
      issuer: issuer.address,
      repository,
      workflow: workflow || null,
      environment: environment || null,
    },
  }
}

/**
 * `ada/engine` for `https://github.com/ada/engine/tree/main`; any text that is no address at the issuer's forge
 * stays unchanged.
 */
function repositoryNameIn(pasted: string, issuer: Issuer): string {
  const forge = forgeOf(issuer)
  const text = pasted.replace(/^(https?|ssh):\/\//, '').replace(/^git@/, '')
  const begin = text.slice(0, forge?.length).toLowerCase()
  if (forge === null || begin !== forge.toLowerCase() || !/^[/:]/.test(text.slice(forge.length)))
    return pasted
  const [path = ''] = text.slice(forge.length + 1).split(/[?#]/)
  const name = issuer.kind === 'github' ? path.split('/').slice(0, 2).join('/') : path.split('/-/')[0]
  return (name ?? '').replace(/\/(-)?$/, '').replace(/\.git$/, '')
}

function fieldReasons(name: string, text: string, [form, reason]: readonly [RegExp, string]): Reasons {
  if (text === '') return { [name]: ["can't be blank"] }
  if (text.length > maxCharacters) return { [name]: [`must be at most ${maxCharacters} characters`] }
  return form.test(text) ? {} : { [name]: [reason] }
}

/** A trusted publisher: a repository, or a whole `sub` if the issuer is no forge. */
export type Publisher = {
  readonly issuer: string
  readonly repository: string
  /** The numeric ids of the repository and its owner; null until the first use. */
  readonly repositoryId: string | null
  readonly ownerId: string | null
  /** Null for any. */
  readonly workflow: string | null
  readonly environment: string | null
}

type Choice<Found> =
  | { readonly outcome: 'chosen'; readonly publisher: Found }
  /** The reason, and a publisher of the same repository if there is one, whose owner is then shown the reason. */
  | { readonly outcome: 'refused'; readonly reason: string; readonly nearest: Found | null }

/**
 * Chooses the publisher that an identity matches among a user's publishers with this issuer
 * (docs/decisions.md#publishers).
 */
export function choosePublisher<Found extends Publisher>(
  { kind }: Issuer,
  publishers: readonly Found[],
  identity: Identity,
): Choice<Found> {
  const spelled = (repository: string) => (kind === 'other' ? repository : repository.toLowerCase())
  const ofRepository = publishers.filter(
    ({ repository }) => spelled(repository) === spelled(identity.repository),
  )
  const [nearest = null] = ofRepository
  if (nearest === null) {
    // The user's publishers stay private: anyone can get a token and ask.
    const claim = `The claim ${claimNames[kind].repository} is ${quoted(identity.repository)}`
    return {
      outcome: 'refused',
      reason: `${claim}, and this user has no such publisher. They add it in their settings.`,
      nearest,
    }
  }
  const publisher = ofRepository.find((one) => mismatchOf(kind, one, identity) === null)
  if (publisher !== undefined) return { outcome: 'chosen', publisher }
  return { outcome: 'refused', reason: mismatchOf(kind, nearest, identity) ?? '', nearest }
}

/** The first claim that does not match a publisher of the same repository, in words; null if all match. */
function mismatchOf(kind: IssuerKind, publisher: Publisher, identity: Identity): string | null {
  const names = claimNames[kind]
  const stated = (name: 'ownerId' | 'repositoryId' | 'environment') =>
    `The claim ${names[name]} is ${quoted(identity[name])}`
  if (identity.untrusted !== null) return identity.untrusted
  const moved = (['ownerId', 'repositoryId'] as const).find(
    (name) => publisher[name] !== null && publisher[name] !== identity[name],
  )
  if (moved !== undefined) {
    const first = `and was ${quoted(publisher[moved])} when this publisher was first used`
    return `${stated(moved)}, ${first}. If the repository is still yours, remove the publisher and add it again.`
  }
  const { workflow, environment } = publisher
  if (workflow !== null && workflow !== identity.workflow) {
    const named = `The claim ${names.workflow} names the workflow ${quoted(identity.workflow)}`
    return `${named}, and the publisher requires ${quoted(workflow)}.`
  }
  if (environment !== null && environment.toLowerCase() !== identity.environment?.toLowerCase()) {
    return `${stated('environment')}, and the publisher requires ${quoted(environment)}.`
  }
  return null
}
