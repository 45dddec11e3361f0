import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isBlank, oneLineProblems } from '../../../src/domain/field-parsing.ts'
import { textBounds } from '../../../src/domain/text-bounds.ts'
import { form, json } from '../../support/api.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

/**
 * The service accepts what openapi.json allows and refuses what it forbids. Values are made from its schemas, so a
 * new parameter or field is tested automatically.
 */
const service = await useService({ STREAMS_PER_ADDRESS: '1000' })
const poster = await signUpPoster(service)
await poster.announce({ message: 'A badge that is not Inactive by itself' })
await poster.announce({ message: 'A changelog', url: 'https://a.example/' })

type Schema = {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}
type Parameter = {
  readonly name: string
  readonly in: 'query' | 'header' | 'path'
  readonly allowEmptyValue?: boolean
  readonly schema: Schema
}
type Document = {
  readonly paths: Readonly<
    Record<string, { readonly [Method in 'get' | 'post']?: { readonly parameters: readonly Parameter[] } }>
  >
  readonly components: {
    readonly schemas: { readonly Announcement: { readonly properties: Readonly<Record<string, Schema>> } }
  }
}
const document = (await (await service.fetch('/openapi.json')).json()) as Document

/** Allowed texts that a schema cannot express, by the name of their parameter or field. */
const allowedTexts: Readonly<Record<string, fc.Arbitrary<string>>> = {
  q: fc.stringMatching(/^[a-z]{3,20}( [a-z]{3,20}){0,5}$/),
  target: fc.domain(),
  project: fc.domain(),
  actor: fc.stringMatching(/^[A-Za-z][\w.-]{0,20}( [A-Za-z]{1,20})?$/),
  url: fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] }),
  deployed_at: fc.constant(null).map(() => new Date().toISOString()),
  message: fc
    .string({ unit: 'grapheme', maxLength: 200 })
    .filter((text) => !isBlank(text) && Buffer.byteLength(text) <= textBounds.message),
  version: fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => oneLineProblems(text, 'version').length === 0),
}

/** Values on both sides of each bound of a schema, and its enumerated values. */
function edgesOf({ minimum, maximum, minLength, maxLength, anyOf = [], ...schema }: Schema): unknown[] {
  const around = (bound: number | undefined) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1].filter((number) => number >= -1)
  return [
    '',
    ...(schema.enum ?? []),
    ...[minimum, maximum].flatMap(around),
    ...[minLength, maxLength].flatMap(around).map((length) => 'a'.repeat(Math.max(0, length))),
    ...anyOf.flatMap(edgesOf),
  ]
}

/** Values that a schema may allow or not: some that match its patterns, and arbitrary ones. */
function valuesNear({ pattern, anyOf = [] }: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.integer(),
    ...(pattern === undefined ? [] : [fc.stringMatching(new RegExp(pattern))]),
    ...anyOf.map(valuesNear),
  )
}

/** The text of an address or a header as the value that the schema describes. */
function spelled(text: string, { type }: Schema): unknown {
  return type === 'integer' && /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : text
}

const fits = (value: unknown, schema: Schema) => service.described.fits(value, schema)

/** How many values are made up for each parameter or field, besides those at the edges of its schema. */
const madeUp = 12

/**
 * Texts for a parameter or field whose schema decides correctly whether they are allowed; null instead of any
 * other.
 */
function textsFor(name: string, schema: Schema, isSendable = (_: string) => true) {
  const own = allowedTexts[name]
  const told = (value: unknown) => {
    const text = String(value)
    return isSendable(text) && (own === undefined || !fits(text, schema)) ? text : null
  }
  const near = valuesNear(schema).map(told)
  const examples = edgesOf(schema).map((value): [string | null] => [told(value)])
  return { texts: own === undefined ? near : fc.oneof(own, near), examples }
}

describe('a parameter', () => {
  const parameters = Object.entries(document.paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? []).map((parameter) => [path, parameter.name, parameter] as const),
  )

  test.each(parameters)('of %s: %s', async (template, name, parameter) => {
    const { schema, allowEmptyValue = false } = parameter
    const { texts, examples } = textsFor(name, schema, (text) => isSendable(text, parameter))
    const absent = await ask(template, parameter, null)
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        if (text === null) return
        const isAllowed = text === '' ? allowEmptyValue : fits(spelled(text, schema), schema)
        const { status, body } = await ask(template, parameter, text)
        if (template === '/oembed' ? name === 'url' : name === 'target' && template.includes('/changelog.')) {
          // Whether there is such a changelog.
          expect([200, 400, 404]).toContain(status)
          return
        }
        // A malformed name and an unknown one both mean no such user or deployment; only an image tells them apart.
        if (name === 'user' || name === 'username' || name === 'id') {
          const found = template.endsWith('.svg') ? [200] : [200, 404]
          expect([text, ...(isAllowed ? found : [text === '' ? 400 : 404])]).toContain(status)
        } else if (name === 'theme') {
          expect([text, status]).toEqual([text, 200])
          if (!isAllowed) expect([text, body]).toEqual([text, absent.body])
        } else if (template === '/api/compare') {
          // Nothing is deployed there.
          expect([text, status]).toEqual([text, isAllowed ? 404 : 400])
        } else if (!template.startsWith('/badge/') || name === 'target') {
          expect([text, status < 400]).toEqual([text, isAllowed])
        } else {
          expect([text, status]).toEqual([text, 200])
          const ignored = name === 'env' || name === 'url' ? expect.stringContaining('Inactive') : absent.body
          if (!isAllowed) expect([text, body]).toEqual([text, ignored])
        }
      }),
      { numRuns: examples.length + madeUp, examples },
    )
  })

  test('Idempotency-Key', async () => {
    const parameter = document.paths['/api']?.post?.parameters.find(({ name }) => name === 'Idempotency-Key')
    const { schema = {} } = parameter ?? {}
    const { texts, examples } = textsFor('Idempotency-Key', schema, (text) =>
      isSendable(text, { in: 'header' }),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (key) => {
        if (key === null) return
        const { status } = await poster.announce({ message: 'With a key' }, { 'Idempotency-Key': key })
        expect([key, status]).toEqual([key, fits(key, schema) ? 201 : 400])
      }),
      { numRuns: examples.length + madeUp, examples },
    )
  })
})

/** Whether a text can be sent unchanged: clients normalise paths, and headers allow only some characters. */
function isSendable(text: string, { in: place }: Pick<Parameter, 'in'>): boolean {
  if (place === 'path') return !/^\.*$|[/\\]/.test(text)
  return place === 'query' || /^[\x21-\x7e]+$/.test(text)
}

/** A comparison needs all of its parameters. */
const inComparison = { user: poster.username, project: 'a.example', from: 'staging', to: 'production' }

/** Sends a request with this value of the parameter; null omits it. */
async function ask(template: string, { name, in: place }: Parameter, text: string | null) {
  const inPath = { username: poster.username, target: 'a.example' }
  const parts = place === 'path' && text !== null ? { ...inPath, [name]: encodeURIComponent(text) } : inPath
  const query = new URLSearchParams(place === 'query' && text !== null ? { [name]: text } : {})
  // A target needs a user, and so does what is live.
  if (template === '/api/compare') {
    for (const [parameter, value] of Object.entries(inComparison)) {
      if (parameter !== name) query.set(parameter, value)
    }
  }
  const isOfProject = template === '/api/releases'
  const isOfUser = template === '/api/current' || isOfProject
  const needsUser = name === 'target' ? !template.includes('{') : isOfUser
  if (needsUser && name !== 'user') query.set('user', poster.username)
  if (isOfProject && name !== 'target') query.set('target', 'a.example')
  // A badge of environments needs a project.
  if (name === 'show' && !template.includes('{target}')) query.set('url', parts.target)
  if (template === '/oembed' && name !== 'url') {
    query.set('url', `http://shipfeed.test/${poster.username}/a.example`)
  }
  const headers: Record<string, string> = place === 'header' && text !== null ? { [name]: text } : {}
  const path = template.replace('{username}', parts.username).replace('{target}', parts.target)
  const address = `${path}?${query}`
  const response = await service.fetch(address, { headers })
  const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (isEndless) await response.body?.cancel()
  const body = isEndless ? '' : await response.text()
  // The age may change between two answers.
  return { status: response.status, body: body.replace(/just now|\d+ minutes? ago/g, '') }
}

describe('a field of POST /api', () => {
  const fields = Object.entries(document.components.schemas.Announcement.properties)

  test.each(fields)('%s', async (name, schema) => {
    const { texts, examples } = textsFor(name, schema)
    const others = fc.constantFrom<unknown>(null, 42, true, [], ['a'], {})
    await fc.assert(
      fc.asyncProperty(fc.oneof(texts, others), async (value) => {
        const isAllowed = fits(value, schema)
        const fieldsOf = { message: 'Field by field', [name]: value }
        const bodies = [
          json(fieldsOf),
          ...(typeof value === 'string' ? [form(fieldsOf as Record<string, string>)] : []),
        ]
        for (const body of bodies) {
          const response = await poster.post(body)
          const answer = (await response.json()) as { details?: object }
          expect([value, response.status]).toEqual([value, isAllowed ? 201 : 422])
          if (!isAllowed) expect(Object.keys(answer.details ?? {})).toEqual([name])
        }
      }),
      { numRuns: examples.length + madeUp, examples },
    )
  })
})
