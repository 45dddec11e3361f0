import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Configuration } from '../../src/capability.ts'
import type { ApiDescription } from '../../src/web/docs/openapi/description.ts'
import { openApi } from '../../src/web/docs/openapi/document.ts'
import { reference } from '../../src/web/docs/openapi/schemas.ts'
import { configurationOf } from './configuration.ts'

type Schema = object
type Media = { readonly schema: Schema; readonly example?: unknown }
type Header = { readonly required?: boolean; readonly schema: Schema }
type Described = {
  readonly content?: Readonly<Record<string, Media>>
  readonly headers?: Readonly<Record<string, Header>>
}
type Operation = { readonly responses: Readonly<Record<string, Described>> }

/** The OpenAPI document as its readers see it. */
export type Description = {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

/** Headers that answers of a kind have, and that mean nothing to callers of the API (answer-kinds.ts). */
const ofItsKind = new Set([
  'access-control-allow-origin',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'expires',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
  'x-frame-options',
])

type Exchange = { readonly method: string; readonly path: string; readonly response: Response }

/** What an OpenAPI document says of answers. */
export type Checker = {
  /** Whether a value fits a schema of the document. */
  fits(value: unknown, schema: Schema): boolean
  /**
   * Throws where the document does not describe an answer: its path and method, its status, each header that
   * is not of its kind, and its body, which exactly one schema must fit. A path that is neither described nor
   * below /api is let through. Leaves the body to be read.
   */
  check(exchange: Exchange): Promise<void>
  /** Requests an address, checks the answer, and gives it. Redirects are answers: they are not followed. */
  fetch(address: string, init?: RequestInit): Promise<Response>
  /** The same for a message of the event stream. */
  checkEvent(message: { readonly event: string | null; readonly data: string | null }): void
}

/** What the document of a service depends on: its rate, who may read, and its capabilities. */
type DocumentOf = {
  readonly perMinute: number
  readonly membersOnly?: boolean
  readonly publicBadges?: boolean
  /** By default, everything that a capability adds. */
  readonly added?: readonly ApiDescription[]
}

/** What capabilities add to the document at this rate; without webhooks, because they are off by default. */
export function addedAt(perMinute: number): readonly ApiDescription[] {
  return addedBy(configurationOf({ RATE_LIMIT_PER_MINUTE: String(perMinute) }))
}

export function addedBy({ configured }: Pick<Configuration, 'configured'>): readonly ApiDescription[] {
  return configured.flatMap(({ openApi: description }) => description ?? [])
}

/** The document of a service. */
export function describedBy({ perMinute, added = addedAt(perMinute), ...who }: DocumentOf): Description {
  const site = { baseUrl: 'http://shipfeed.test', operatorContact: null, ...who }
  return JSON.parse(JSON.stringify(openApi({ ...site, perMinute, added })))
}

const checkers = new Map<string, Checker>()

/** The checker for services with such a document. */
export function checkerOf(document: DocumentOf): Checker {
  const key = JSON.stringify(document)
  const known = checkers.get(key)
  if (known !== undefined) return known
  const made = createChecker(describedBy(document))
  checkers.set(key, made)
  return made
}

export function createChecker({ paths, components }: Description): Checker {
  const ajv = new Ajv2020({ strict: true, formats: { 'date-time': isTime, uri: URL.canParse } })
  // References of the document begin at its root.
  ajv.addVocabulary(['components'])
  const compiled = new WeakMap<Schema, ValidateFunction>()
  const templates = Object.keys(paths).map((path) => [path, patternOf(path)] as const)
  const stream = paths['/api/deployments/live']?.get?.responses[200]?.content?.['text/event-stream']
  return { fits: (value, schema) => validator(schema)(value), check, fetch: fetchDescribed, checkEvent }

  async function fetchDescribed(address: string, init: RequestInit = {}): Promise<Response> {
    // On a connection of its own: the server may close an idle one at the moment in which it is used again.
    const response = await fetch(address, { redirect: 'manual', keepalive: false, ...init })
    await check({ method: init.method ?? 'GET', path: new URL(address).pathname, response })
    return response
  }

  function validator(schema: Schema): ValidateFunction {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    const made = ajv.compile({ ...schema, components })
    compiled.set(schema, made)
    return made
  }

  /** What is wrong with a value by a schema, or null. */
  function wrongIn(value: unknown, schema: Schema): string | null {
    const validate = validator(schema)
    return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'it' })
  }

  async function check({ method, path, response }: Exchange): Promise<void> {
    const described = answersOf(method, path)
    if (described === null) return
    const { status, headers } = response
    const answer = described[status]
    const told = `The OpenAPI document does not describe this answer to ${method} ${path}: ${status}`
    if (answer === undefined) throw new Error(told)
    checkHeaders(told, headers, answer.headers ?? {})
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    const media = answer.content?.[type]
    if (media === undefined && (type !== '' || answer.content !== undefined))
      throw new Error(`${told} of the type "${type}"`)
    if (media === undefined || method === 'HEAD' || type === 'text/event-stream') return
    const text = await response
      .clone()
      .text()
      // Cut off, or aborted by the test: then nobody has an answer.
      .catch(() => null)
    if (text === null) return
    const body: unknown = /\bjson$/.test(type) ? JSON.parse(text) : text
    const wrong = wrongIn(body, media.schema)
    if (wrong !== null) throw new Error(`${told}, ${text}: ${wrong}`)
  }

  /** The answers to a request, by status; null for a path outside of the API. */
  function answersOf(method: string, path: string): Operation['responses'] | null {
    const plain = path.replace(/(?<=.)\/$/, '')
    const operations = paths[plain] ?? templated(plain) ?? (/^\/api(\/|$)/i.test(plain) ? {} : undefined)
    if (operations === undefined) return null
    const operation = operations[(method === 'HEAD' ? 'GET' : method).toLowerCase()]
    if (operation !== undefined) return operation.responses
    const [other] = Object.values(operations)
    if (other !== undefined) return other.responses
    return { 404: { content: { 'application/json': { schema: reference('not_found') } } } }
  }

  function templated(path: string) {
    const [template = ''] = templates.find(([, pattern]) => pattern.test(path)) ?? []
    return paths[template]
  }

  function checkHeaders(told: string, headers: Headers, described: Readonly<Record<string, Header>>): void {
    const rest = new Set([...headers.keys()].filter((name) => !ofItsKind.has(name)))
    for (const [name, { required, schema }] of Object.entries(described)) {
      const text = headers.get(name)
      if (text === null && required === true) throw new Error(`${told} without ${name}`)
      const value = 'type' in schema && schema.type === 'integer' ? Number(text) : text
      const wrong = text === null ? null : wrongIn(value, schema)
      if (wrong !== null) throw new Error(`${told} with ${name}: ${text}: ${wrong}`)
      rest.delete(name.toLowerCase())
    }
    if (rest.size > 0) throw new Error(`${told} with ${[...rest].join(', ')}`)
  }

  function checkEvent({
    event,
    data,
  }: {
    readonly event: string | null
    readonly data: string | null
  }): void {
    if (data === null || data === '') return
    const wrong = stream === undefined ? 'no stream' : wrongIn(JSON.parse(data), stream.schema)
    if (wrong !== null)
      throw new Error(`The OpenAPI document does not describe this ${event}, ${data}: ${wrong}`)
  }
}

/** A template of the document as a pattern: a parameter is a part of one segment. */
function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text))
}
