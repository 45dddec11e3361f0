import { expect, test } from 'bun:test'
import { categories } from '../../../src/domain/category.ts'
import { form, post } from '../../support/api.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

type Schema = {
  readonly required: readonly string[]
  readonly properties: Record<string, { enum?: string[] }>
}
type Answers = Record<
  string,
  { content?: Record<string, { schema: object }>; headers?: Record<string, object> }
>
type Description = {
  readonly openapi: string
  readonly servers: readonly { url: string }[]
  readonly paths: Record<string, Record<string, { responses: Answers; requestBody?: { content: object } }>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

const service = await useService({ RATE_LIMIT_PER_MINUTE: '2' })
const poster = await signUpPoster(service)
const response = await service.fetch('/openapi.json')
expect(response.status).toBe(200)
expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
const description = (await response.json()) as Description

test('it describes this service, and only what is there', async () => {
  expect(description.openapi).toBe('3.1.0')
  expect(description.servers).toEqual([{ url: 'http://shipfeed.test' }])
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const method of Object.keys(methods)) {
      const response = await service.fetch(path.replace('{file}', 'ada.svg'), {
        method: method.toUpperCase(),
      })
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

test('the categories are those of the domain', () => {
  const slugs = Object.keys(categories)
  expect(description.components.schemas.Announcement?.properties.category?.enum).toEqual(slugs)
})

test('every status of POST /api that a caller can bring about is described, with the fields that it has', async () => {
  const send = (bytes: string, headers = {}) => post(service, poster.token, { ...form({}), bytes }, headers)
  const answers: readonly (readonly [status: number, schema: string, response: Response])[] = [
    [400, 'Error', await send('message=%zz')],
    [401, 'Unauthorized', await send('message=x', { Authorization: '' })],
    [405, 'Error', await service.fetch('/api', { method: 'PUT' })],
    [413, 'Error', await send(`message=${'a'.repeat(70_000)}`)],
    [415, 'Error', await send('x', { 'Content-Type': 'text/plain' })],
    [422, 'ValidationError', await send('')],
    [201, 'Deployment', await send('message=x', { 'Idempotency-Key': 'k' })],
    [422, 'Error', await send('message=y', { 'Idempotency-Key': 'k' })],
    [201, 'Deployment', await send('message=x')],
    [429, 'Error', await send('message=x')],
  ]
  const described = description.paths['/api']?.post?.responses ?? {}
  for (const [status, schema, response] of answers) {
    expect([status, response.status]).toEqual([status, status])
    expect(JSON.stringify(described[status]?.content)).toContain(`schemas/${schema}"`)
    const fields = Object.keys((await response.json()) as object)
    expect(fields.toSorted()).toEqual(
      [...(description.components.schemas[schema]?.required ?? [])].toSorted(),
    )
    for (const name of Object.keys(described[status]?.headers ?? {})) {
      // A replay alone has this one.
      if (name !== 'Idempotent-Replayed') expect([name, response.headers.has(name)]).toEqual([name, true])
    }
  }
  const brought = new Set(answers.map(([status]) => String(status)))
  expect(Object.keys(described).filter((status) => !brought.has(status))).toEqual(['500', '503'])
})
