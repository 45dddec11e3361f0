import { claimNames, type Identity, quoted } from './claims.ts'
import type { Issuer, IssuerKind } from './issuer.ts'
import { isOfSource, sourceIn } from './source.ts'

/** A trusted publisher: a repository, or what `sourceIn` reads if the issuer is no forge. */
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
  const isForge = kind === 'github' || kind === 'gitlab'
  const ofRepository = publishers.filter(({ repository }) =>
    isForge
      ? repository.toLowerCase() === identity.repository.toLowerCase()
      : isOfSource(sourceIn(repository), identity),
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
