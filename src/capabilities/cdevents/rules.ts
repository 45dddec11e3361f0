import { pageOfRepository } from '../../domain/announcement/git-address.ts'
import { memberOf, type Reasons } from '../../domain/field-parsing.ts'
import { isLink } from '../../domain/link.ts'
import { isProjectName } from '../../domain/target.ts'
import { isTooLong, textBounds } from '../../domain/text-bounds.ts'

export const acceptedEvents =
  'dev.cdevents.service.deployed, .upgraded, .published or .rolledback, of version 0.1 to 0.3'

/** The type of a CDEvent; tools use `cdeventsx` for their own events. */
const typePattern = /^dev\.(cdevents|cdeventsx)\.([a-z\d-]+)\.([a-z\d-]+)\.(\d+\.\d+)\.\d+(?:-[a-z\d.-]+)?$/
const acceptedVersions = ['0.1', '0.2', '0.3']

/** The verb of the message, and the preposition before the environment. */
const verbs: Readonly<Record<string, readonly [verb: string, preposition: string]>> = {
  deployed: ['deployed', 'to'],
  upgraded: ['upgraded', 'in'],
  published: ['published', 'in'],
  rolledback: ['rolled back', 'in'],
}

const type = 'context.type'
const id = 'context.id'
const origin = 'context.source'
const source = 'subject.source'
const subjectId = 'subject.id'

/** The member that each field of an announcement comes from. */
const members = {
  message: 'customData.message',
  url: 'customData.url',
  environment: 'subject.content.environment.id',
  version: 'subject.content.artifactId',
  commit: 'customData.commit',
  project: 'customData.project',
  actor: 'customData.actor',
  environment_url: 'customData.environment_url',
} as const

/** The members that expressions read. */
const examined = [type, id, origin, source, members.version]

/** The attributes of CloudEvents that an event came with. */
export type Envelope = { readonly id: unknown; readonly source: unknown; readonly type: unknown }

/** Reads a CDEvent of a service (docs/decisions.md#announce). Any other valid CloudEvent is of another kind. */
export function readEvent(
  event: unknown,
  envelope: Envelope,
):
  | { outcome: 'announcement'; announcement: ReturnType<typeof announcementOf> }
  | { outcome: 'another_kind' }
  | { outcome: 'invalid'; reasons: Reasons } {
  if (memberOf(event, type) === undefined && isOfAnotherKind(envelope)) {
    return { outcome: 'another_kind' }
  }
  const tooLong = examined.filter((path) => isTooLong(textOf(event, path), 'link'))
  if (tooLong.length > 0) return invalidMembers(tooLong, `must be at most ${textBounds.link} characters`)
  const [, family, subject, predicate = '', version = ''] = typePattern.exec(textOf(event, type)) ?? []
  const isOfService = family === 'cdevents' && subject === 'service' && Object.hasOwn(verbs, predicate)
  if (family === undefined || (isOfService && !acceptedVersions.includes(version))) {
    return { outcome: 'invalid', reasons: { [type]: [`must be ${acceptedEvents}`] } }
  }
  const needed = [
    ...[id, origin],
    ...(isOfService ? [subjectId] : []),
    ...(isOfService && predicate !== 'published' ? [members.environment] : []),
  ]
  const missing = needed.filter((path) => textOf(event, path) === '')
  if (missing.length > 0) return invalidMembers(missing, 'must be a string that is not empty')
  return isOfService
    ? { outcome: 'announcement', announcement: announcementOf(event, predicate) }
    : { outcome: 'another_kind' }
}

function invalidMembers(paths: readonly string[], reason: string) {
  return { outcome: 'invalid', reasons: Object.fromEntries(paths.map((path) => [path, [reason]])) } as const
}

/** Whether an envelope is complete and its type is not that of a CDEvent. */
function isOfAnotherKind({ id, source, type }: Envelope): boolean {
  const isWhole = [id, source].every((value) => typeof value === 'string' && value !== '')
  if (!isWhole || typeof type !== 'string' || isTooLong(type, 'link')) return false
  return /^(?!dev\.cdevents)[\w-]+(\.[\w-]+)+$/i.test(type)
}

/** Gives the member that each field comes from, and the source and id, which are unique together (CloudEvents 1.0). */
function announcementOf(event: unknown, predicate: string) {
  const sent = Object.fromEntries(
    Object.entries(members).map(([field, path]) => [field, memberOf(event, path)]),
  )
  const name = textOf(event, subjectId)
  const { version, pages } = readPackage(textOf(event, members.version))
  const url = sent.url ?? [...pages, pageOfRepository(textOf(event, source))].find(isLink)
  const fields = {
    ...sent,
    url,
    message: sent.message ?? sentenceOf(predicate, name, textOf(event, members.environment)),
    version: typeof sent.version === 'string' ? version : sent.version,
    project: sent.project ?? (url ? undefined : nameIn(name)),
  }
  const from = fields.message === sent.message ? members : { ...members, message: subjectId }
  return { fields, members: from, key: `${textOf(event, origin)} ${textOf(event, id)}` }
}

/** The id of a service if people would call it so: not a kind with a name, such as `deployment/engine`, nor a UUID. */
function nameIn(id: string): string | undefined {
  return isProjectName(id) && !/\/|^[\da-f-]{32,36}$/i.test(id) ? id : undefined
}

function sentenceOf(predicate: string, subject: string, environment: string): string {
  const [verb, preposition] = verbs[predicate] ?? []
  return environment === '' ? `${subject} ${verb}` : `${subject} ${verb} ${preposition} ${environment}`
}

/** A member that is a string; '' for anything else. */
function textOf(event: unknown, path: string): string {
  const value = memberOf(event, path)
  return typeof value === 'string' ? value : ''
}

/** The forges whose packages are repositories, by the type of the package. */
const forges: Readonly<Record<string, string>> = {
  bitbucket: 'bitbucket.org',
  github: 'github.com',
  gitlab: 'gitlab.com',
}

/**
 * Reads a package URL (https://github.com/package-url/purl-spec): its version, and possible addresses of its page, the
 * likeliest first.
 */
function readPackage(purl: string) {
  const [, type = '', name = '', version, qualifiers = ''] =
    /^pkg:([^/?#]+)\/([^?#]*?)(?:@([^/@?#]+))?(?:\?([^#]*))?(?:#.*)?$/s.exec(purl) ?? []
  // Not read as a form, in which a plain "+" is a space.
  const qualifier = (key: string) => {
    const found = qualifiers.split('&').find((one) => one.startsWith(`${key}=`))
    return found === undefined ? undefined : decoded(found.slice(key.length + 1))
  }
  const forge = forges[type.toLowerCase()]
  const registry = qualifier('repository_url')
  const pages = [
    qualifier('vcs_url'),
    forge === undefined ? undefined : `https://${forge}/${name}`,
    registry?.replace(/^(?=[\w-]+(?:\.[\w-]+)+(?::\d+)?\/)/, 'https://'),
  ]
  return {
    version: versionOf(version, qualifier('tag')),
    pages: pages.filter((page) => page !== undefined).map(pageOfRepository),
  }
}

/** Decoded. A tag replaces a digest, because people know tags. */
function versionOf(escaped: string | undefined, tag: string | undefined): string | undefined {
  if (escaped === undefined) return tag
  const version = decoded(escaped)
  const isDigest = /^\w+:[\da-f]{32,}$/i.test(version)
  return isDigest ? (tag ?? version) : version
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
