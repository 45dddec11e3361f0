import type { Issuer, IssuerKind } from '../../domain/issuer.ts'
import { claimNames, type Identity, quoted } from './claims.ts'

/** `repository` is what `sourceIn` reads if the issuer is no forge. */
export type Publisher = {
  readonly issuer: string
  readonly repository: string
  /** Null until the first use. */
  readonly repositoryId: string | null
  readonly ownerId: string | null
  /** Null for any. */
  readonly workflow: string | null
  readonly environment: string | null
}

type Choice<Found> =
  | { readonly outcome: 'chosen'; readonly publisher: Found }
  /** `nearest` is one of the same repository, whose owner is shown the reason. */
  | { readonly outcome: 'refused'; readonly reason: string; readonly nearest: Found | null }

/** Chooses the publisher of a user that an identity matches (docs/decisions.md#publishers). */
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
    const reason = `${claim}, and this user has no such publisher. They add it in their settings.`
    return { outcome: 'refused', reason, nearest }
  }
  const publisher = ofRepository.find((one) => mismatchOf(kind, one, identity) === null)
  if (publisher !== undefined) return { outcome: 'chosen', publisher }
  return { outcome: 'refused', reason: mismatchOf(kind, nearest, identity) ?? '', nearest }
}

/** The first claim that does not match, in words; null if all match. */
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

/** The jobs of an issuer that is no forge. Never a pattern. */
type Source =
  | { readonly kind: 'sub' | 'beginning'; readonly text: string }
  | { readonly kind: 'claim'; readonly name: string; readonly value: string }

/** Reads what an owner typed: `name=value`, a beginning of `sub` that ends with `:` or `/`, or a whole `sub`. */
export function sourceIn(text: string): Source {
  const [, name, value = ''] = /^([\w.:/-]+)=(.*)$/s.exec(text) ?? []
  if (name !== undefined) return { kind: 'claim', name, value }
  return { kind: /[:/]$/.test(text) ? 'beginning' : 'sub', text }
}

/** Whether an identity is one of these jobs. A separator ends the beginning, so "acme:" is no part of "acme-2:". */
function isOfSource(source: Source, { repository: sub, claims }: Identity): boolean {
  if (source.kind === 'claim') {
    const claimed = claims[source.name]
    const isPlain = typeof claimed === 'string' || Number.isSafeInteger(claimed)
    return isPlain && String(claimed) === source.value
  }
  return source.kind === 'sub' ? sub === source.text : sub.startsWith(source.text)
}

const impersonal: readonly string[] = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti']

/** The fewest parts of a beginning: `organization:` alone would let everybody announce. */
const fewestParts = 2

/** The reason to refuse a source; null if it can be trusted. */
export function sourceReason(source: Source): string | null {
  if (source.kind === 'claim') {
    if (source.value === '') return 'must have a value after the ='
    return impersonal.includes(source.name)
      ? `must name a claim that tells jobs apart, not ${source.name}`
      : null
  }
  if (source.kind === 'sub') return null
  const parts = source.text.split(/[:/]/).filter((part) => part !== '')
  return parts.length < fewestParts ? 'must say whose jobs they are, such as organization:acme:' : null
}
