import type { Reasons } from './reasons.ts'

/** What an event announces: fields as a body would have them, and the member of the event that each is from. */
export type EventAnnouncement = {
  readonly fields: Readonly<Record<string, unknown>>
  readonly members: Readonly<Record<string, string>>
  /** Its source and id, which are one event's alone by the rules of CloudEvents. */
  readonly key: string
}

export const acceptedEvents =
  'dev.cdevents.service.deployed, .upgraded, .published or .rolledback, of version 0.1 to 0.3'

const typePattern =
  /^dev\.cdevents\.service\.(deployed|upgraded|published|rolledback)\.0\.[1-3]\.\d+(?:-draft)?$/

/** What the message says, and the word before the environment. */
const verbs: Readonly<Record<string, readonly [verb: string, preposition: string]>> = {
  deployed: ['deployed', 'to'],
  upgraded: ['upgraded', 'in'],
  published: ['published', 'in'],
  rolledback: ['rolled back', 'in'],
}

const subjectId = 'subject.id'
const environmentId = 'subject.content.environment.id'
const artifactId = 'subject.content.artifactId'
const message = 'customData.message'
const url = 'customData.url'

/** Reads a CDEvent of a service, or tells what is wrong with its members (docs/decisions.md#announce). */
export function readEvent(
  event: unknown,
): { ok: true; announcement: EventAnnouncement } | { ok: false; reasons: Reasons } {
  const [, predicate] = typePattern.exec(String(memberOf(event, 'context.type'))) ?? []
  if (predicate === undefined)
    return { ok: false, reasons: { 'context.type': [`must be ${acceptedEvents}`] } }
  const needed = [
    'context.id',
    'context.source',
    subjectId,
    ...(predicate === 'published' ? [] : [environmentId]),
  ]
  const missing = needed.filter((path) => textOf(event, path) === '')
  if (missing.length > 0) {
    return { ok: false, reasons: Object.fromEntries(missing.map((path) => [path, ['must be a text']])) }
  }
  const own = memberOf(event, message)
  const environment = memberOf(event, environmentId)
  const artifact = memberOf(event, artifactId)
  const fields = {
    message: own ?? sentenceOf(predicate, textOf(event, subjectId), textOf(event, environmentId)),
    url: memberOf(event, url),
    environment,
    version: typeof artifact === 'string' ? versionIn(artifact) : artifact,
  }
  const members = {
    message: own === undefined || own === null ? subjectId : message,
    url,
    environment: environmentId,
    version: artifactId,
  }
  const key = `${textOf(event, 'context.source')} ${textOf(event, 'context.id')}`
  return { ok: true, announcement: { fields, members, key } }
}

function sentenceOf(predicate: string, subject: string, environment: string): string {
  const [verb, preposition] = verbs[predicate] ?? []
  return environment === '' ? `${subject} ${verb}` : `${subject} ${verb} ${preposition} ${environment}`
}

/** The decoded version of a package URL (purl); undefined if it has none, or is something else. */
function versionIn(artifact: string): string | undefined {
  const [, version] = /^pkg:[^?#]*@([^/@?#]+)(?:[?#]|$)/.exec(artifact) ?? []
  if (version === undefined) return undefined
  try {
    return decodeURIComponent(version)
  } catch {
    return version
  }
}

/** A member that is text, else empty. */
function textOf(event: unknown, path: string): string {
  const value = memberOf(event, path)
  return typeof value === 'string' ? value : ''
}

function memberOf(event: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), event)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
