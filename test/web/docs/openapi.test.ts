import { describe, expect, test } from 'bun:test'
import { Unavailable } from '../../../src/database/errors.ts'
import { categories } from '../../../src/domain/category.ts'
import { form, json, post } from '../../support/api.ts'
import { failingDatabase } from '../../support/database.ts'
import { fits } from '../../support/json-schema.ts'
import { openEventSource } from '../../support/live/event-source.ts'
import { signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

type Schema = Readonly<Record<string, unknown>>
type Answer = {
  readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>
}
type Operation = { readonly responses: Readonly<Record<string, Answer>> }
type Description = {
  readonly openapi: string
  readonly servers: readonly { url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const service = await useService({ RATE_LIMIT_PER_MINUTE: '2' })
const poster = await signUpPoster(service)
const document = await service.fetch('/openapi.json')
const description = (await document.json()) as Description

test('it describes this service, and only what is there', async () => {
  expect(document.status).toBe(200)
  expect(document.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(description.openapi).toBe('3.1.0')
  expect(description.servers).toEqual([{ url: 'http://shipfeed.test' }])
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const method of Object.keys(methods)) {
      const response = await service.fetch(path.replace('{file}', 'ada.svg'), {
        method: method.toUpperCase(),
      })
      await response.body?.cancel()
      expect([path, method, [404, 405].includes(response.status)]).toEqual([path, method, false])
    }
  }
})

test('every reference leads to a schema, and every schema is used', () => {
  const references = new Set(
    [...JSON.stringify(description).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
  )
  expect([...references].toSorted()).toEqual(Object.keys(description.components.schemas).toSorted())
})

test('every example fits its schema', () => {
  const answers = Object.values(description.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content }) => Object.values(content))
    .filter(({ example }) => example !== undefined)
  expect(answers.length).toBe(3)
  for (const { schema, example } of answers) {
    expect([example, fits(example, schema, description.components.schemas)]).toEqual([example, true])
  }
})

test('the categories are those of the domain', () => {
  const { schemas } = description.components
  const call = (category: unknown) => fits({ message: 'x', category }, schemas.Announcement ?? {}, schemas)
  for (const category of [...Object.keys(categories), '', null]) expect(call(category)).toBeTrue()
  expect(call('bug fix')).toBeFalse()
})

/** Headers that come with an answer of each kind and mean nothing to who calls the API. */
const ofItsKind = [
  'cache-control',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'access-control-allow-origin',
  'date',
  'expires',
  'pragma',
  'referrer-policy',
  'vary',
  'x-content-type-options',
]

/**
 * Asserts that an answer is one that is described: its media type, its headers, and by exactly one schema its
 * body.
 */
async function expectDescribed(path: string, method: string, response: Response): Promise<void> {
  const described = description.paths[path]?.[method]?.responses[response.status]
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
  const schema = described?.content[type]?.schema
  if (schema === undefined) throw new Error(`${path} does not describe ${response.status} as ${type}`)
  const text = await response.text()
  const body: unknown = type === 'application/json' ? JSON.parse(text) : text
  expect([text, fits(body, schema, description.components.schemas)]).toEqual([text, true])

  const headers = Object.entries(described?.headers ?? {}).map(
    ([name, rest]) => [name.toLowerCase(), rest] as const,
  )
  const particular = [...response.headers.keys()].filter((name) => !ofItsKind.includes(name))
  const names = headers.map(([name]) => name)
  expect(particular.filter((name) => !names.includes(name))).toEqual([])
  const required = headers.filter(([, { required }]) => required === true).map(([name]) => name)
  expect(required.filter((name) => !particular.includes(name))).toEqual([])
}

describe('each answer of POST /api is described:', () => {
  const key = { 'Idempotency-Key': 'k' }
  const causes: readonly (readonly [status: number, what: string, cause: () => Promise<Response>])[] = [
    [400, 'a broken escape', () => poster.post({ ...form({}), bytes: 'message=%zz' })],
    [400, 'a bad key', () => poster.announce({ message: 'x' }, { 'Idempotency-Key': 'a b' })],
    [401, 'no token', () => post(service, null, form({ message: 'x' }))],
    [405, 'another method', () => service.fetch('/api', { method: 'PUT' })],
    [413, 'too much', () => poster.announce({ message: 'a'.repeat(70_000) })],
    [415, 'another media type', () => poster.post({ type: 'text/plain', bytes: 'x' })],
    [422, 'no message', () => poster.announce({ message: '' })],
    [422, 'all fields', () => poster.post(json({ message: 1, url: 'x', category: 'x' }))],
    [201, 'recorded', () => poster.announce({ message: 'x' }, key)],
    [201, 'replayed', () => poster.announce({ message: 'x' }, key)],
    [422, 'a key that was used', () => poster.announce({ message: 'y' }, key)],
    [201, 'with everything', () => poster.announce({ message: 'fix: y', url: 'https://a.example/' })],
    [429, 'too often', () => poster.announce({ message: 'x' })],
    [500, 'a fault', () => failing('/api', new Error('boom'))],
    [503, 'an outage', () => failing('/api', new Unavailable('down'))],
  ]

  test.each(causes)('%d, %s', async (status, _, cause) => {
    const response = await cause()
    expect(response.status).toBe(status)
    await expectDescribed('/api', 'post', response)
  })

  test('and no status that none of these has', () => {
    const statuses = [...new Set(causes.map(([status]) => String(status)))]
    expect(Object.keys(description.paths['/api']?.post?.responses ?? {}).toSorted()).toEqual(
      statuses.toSorted(),
    )
  })

  test('without a limit there is no 429', async () => {
    const unlimited = await startService({ RATE_LIMIT_PER_MINUTE: '0' })
    const { paths } = (await (await unlimited.fetch('/openapi.json')).json()) as Description
    await unlimited.close()
    expect(JSON.stringify(paths['/api'])).not.toMatch(/429|rate_limited|RateLimit/)
  })
})

describe('each answer of a badge is described:', () => {
  const names = { '.svg': 'ada.svg', '.json': 'ada.json' }
  const causes: readonly (readonly [status: number, what: string, cause: () => Promise<Response>])[] = [
    [200, 'image', () => service.fetch(`/badge/${poster.username}.svg`)],
    [200, 'image of nobody', () => service.fetch('/badge/nobody-at-all.svg')],
    [200, 'JSON', () => service.fetch(`/badge/${poster.username}.json`)],
    [404, 'no address of a badge', () => service.fetch('/badge/a--b.svg')],
    [404, 'JSON of nobody', () => service.fetch('/badge/nobody-at-all.json')],
    [500, 'image of a fault', () => failing(`/badge/${names['.svg']}`, new Error('boom'))],
    [500, 'JSON of a fault', () => failing(`/badge/${names['.json']}`, new Error('boom'))],
    [200, 'image of an outage', () => failing(`/badge/${names['.svg']}`, new Unavailable('down'))],
    [503, 'JSON of an outage', () => failing(`/badge/${names['.json']}`, new Unavailable('down'))],
  ]

  test.each(causes)('%d, %s', async (status, _, cause) => {
    const response = await cause()
    expect(response.status).toBe(status)
    await expectDescribed('/badge/{file}', 'get', response)
  })
})

describe('each answer to who reads the feed is described:', () => {
  const mine = `user=${poster.username}`
  const causes: readonly (readonly [status: number, path: string, query: string, error: Error | null])[] = [
    [200, '/api/deployments', `${mine}&limit=1`, null],
    [200, '/api/deployments', `${mine}&category=styling_change`, null],
    [400, '/api/deployments', 'limit=0', null],
    [404, '/api/deployments', 'user=nobody-at-all', null],
    [500, '/api/deployments', '', new Error('boom')],
    [503, '/api/deployments', '', new Unavailable('down')],
    [400, '/api/deployments/live', 'category=chore', null],
    [404, '/api/deployments/live', 'user=nobody-at-all', null],
    [500, '/api/deployments/live', 'user=ada', new Error('boom')],
    [503, '/api/deployments/live', 'user=ada', new Unavailable('down')],
  ]

  test.each(causes)('%d, %s?%s', async (status, path, query, error) => {
    const address = `${path}?${query}`
    const response = await (error === null ? service.fetch(address) : failing(address, error))
    expect(response.status).toBe(status)
    await expectDescribed(path, 'get', response)
  })

  test('429, /api/deployments/live', async () => {
    await using full = await startService({ STREAMS_PER_ADDRESS: '0' })
    const response = await full.fetch('/api/deployments/live')
    expect(response.status).toBe(429)
    await expectDescribed('/api/deployments/live', 'get', response)
  })

  test('the events of the stream', async () => {
    const source = await openEventSource(service, `/api/deployments/live?${mine}&after=0`)
    const { data } = await source.find(({ event }) => event === 'deployment')
    const { id } = JSON.parse(data ?? '') as { id: number }
    await poster.send(`/${poster.username}/${id}/delete`, {})
    const withdrawn = await source.find(({ event }) => event === 'withdrawn')
    source.close()
    const schema =
      description.paths['/api/deployments/live']?.get?.responses[200]?.content['text/event-stream']?.schema
    for (const text of [data, withdrawn.data]) {
      expect([text, fits(JSON.parse(text ?? ''), schema ?? {}, description.components.schemas)]).toEqual([
        text,
        true,
      ])
    }
  })
})

/** The answer of a service whose database fails so. */
async function failing(path: string, error: Error): Promise<Response> {
  const broken = await startService({}, failingDatabase(error))
  const body = new URLSearchParams({ message: 'x' })
  const headers = { Authorization: `Bearer ${poster.token}` }
  const response = await broken.fetch(path, path === '/api' ? { method: 'POST', headers, body } : {})
  const copy = new Response(await response.text(), response)
  await broken.close()
  return copy
}
