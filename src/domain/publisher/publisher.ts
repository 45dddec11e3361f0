import { quoted } from './claims.ts'
import { claimNames, type Identity } from './identity.ts'
import type { Issuer, IssuerKind } from './issuer.ts'

/** What an owner trusts to announce: a repository, or of an issuer that is no forge, a whole `sub`. */
export type Publisher = {
  readonly issuer: string
  readonly repository: string
  /** The numbers behind its name and its owner's, null until the first use. */
  readonly repositoryId: string | null
  readonly ownerId: string | null
  /** Null for any. */
  readonly workflow: string | null
  readonly environment: string | null
}

/**
 * What starts runs for people who may not push: of a fork, whose code a run for its parent would vouch for.
 * In such runs, older GitLabs name the parent in project_path and newer ones the fork.
 */
const untrusted: readonly (string | null)[] = [
  'pull_request',
  'pull_request_target',
  'merge_request_event',
  'external_pull_request_event',
]

type Choice<Found> =
  | { readonly publisher: Found }
  /** The reason, and the publisher of that repository, if there is one: its owner is told. */
  | { readonly reason: string; readonly nearest: Found | null }

/** Chooses the publisher that a token is of, among a user's with its issuer, or tells why it is of none. */
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
    // What the user lists instead stays theirs: anybody can have a token.
    const claim = `The claim ${claimNames[kind].repository} is ${quoted(identity.repository)}`
    return {
      reason: `${claim}, and this user has no such publisher. They add it in their settings.`,
      nearest,
    }
  }
  const publisher = ofRepository.find((one) => mismatchOf(kind, one, identity) === null)
  if (publisher !== undefined) return { publisher }
  return { reason: mismatchOf(kind, nearest, identity) ?? '', nearest }
}

/** The first claim that is not what a publisher of the same repository asks for, in words; null if all are. */
function mismatchOf(kind: IssuerKind, publisher: Publisher, identity: Identity): string | null {
  const names = claimNames[kind]
  const told = (name: keyof Identity) => `The claim ${names[name]} is ${quoted(identity[name])}`
  if (untrusted.includes(identity.event)) return `${told('event')}, and such runs announce nothing.`
  const moved = (['ownerId', 'repositoryId'] as const).find(
    (name) => publisher[name] !== null && publisher[name] !== identity[name],
  )
  if (moved !== undefined) {
    const first = `and was ${quoted(publisher[moved])} when this publisher was first used`
    return `${told(moved)}, ${first}. If the repository is still yours, remove the publisher and add it again.`
  }
  const { workflow, environment } = publisher
  if (workflow !== null && workflow !== identity.workflow) {
    const named = `The claim ${names.workflow} names the workflow ${quoted(identity.workflow)}`
    return `${named}, and the publisher asks for ${quoted(workflow)}.`
  }
  if (environment !== null && environment.toLowerCase() !== identity.environment?.toLowerCase()) {
    return `${told('environment')}, and the publisher asks for ${quoted(environment)}.`
  }
  return null
}
