import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { Unavailable } from '../../src/database/errors.ts'
import { tokenFrom } from '../../src/domain/account/token.ts'
import type { AnswerKind } from '../support/answer-kinds.ts'
import { answerKinds, kindHeaders } from '../support/answer-kinds.ts'
import { failingDatabase, standInDatabase } from '../support/database.ts'
import { password, sameOrigin } from '../support/people.ts'
import { sharedDatabase, startService, useService } from '../support/service.ts'

const Authorization = `Bearer ${tokenFrom(new Uint8Array(32).fill(7))}`
const cookie = { Cookie: `session=${'s'.repeat(43)}` }
const account = { username: 'failing', name: 'Failing', password }
const form = { method: 'POST', headers: sameOrigin, body: new URLSearchParams(account) }
const call = { method: 'POST', headers: { Authorization }, body: new URLSearchParams({ message: 'Hi' }) }
const badCall = { ...call, body: new URLSearchParams() }

type Case = [kind: AnswerKind, path: string, init: RequestInit]

const needDatabase: Case[] = [
  ['own page', '/', {}],
  ['own page', '/?before=7', { headers: { 'HX-Request': 'true' } }],
  ['own page', '/failing', {}],
  ['own page', '/failing/1', {}],
  ['own page', '/settings', { headers: cookie }],
  ['own page', '/settings/export', { headers: cookie }],
  ['own page', '/settings/token', { ...form, headers: { ...sameOrigin, ...cookie } }],
  ['own page', '/sign-in', form],
  ['own page', '/sign-up', form],
  ['JSON', '/api', call],
  ['JSON', '/api', badCall],
  ['badge', '/badge/failing.svg', {}],
  ['badge', '/badge/failing.svg?style=dot&url=a.example', {}],
  ['year', '/failing/year.svg', {}],
  ['year', '/failing/a.example/year.svg?theme=dark', {}],
  ['badge JSON', '/badge/failing.json', {}],
]

const away = await useService({}, failingDatabase(new Unavailable('connect postgres://u:secret@h')))
const broken = await useService({}, failingDatabase(new Error('select * from users; postgres://u:secret@h')))

describe('while the database cannot answer', () => {
  test.each(needDatabase)('a %s, %s, says so and when to try again', async (kind, path, init) => {
    const response = await away.fetch(path, init)
    // Image proxies keep failures, so an image is answered with 200.
    const isImage = kind === 'badge' || kind === 'year'
    expect(response.status).toBe(isImage ? 200 : 503)
    expect(response.headers.get('x-shipfeed-status')).toBe(isImage ? 'unavailable' : null)
    expect(response.headers.get('retry-after')).toBe(isImage ? null : '2')
    expect(kindHeaders(kind, response)).toEqual(answerKinds[kind])
    const body = await response.text()
    expect(body).toMatch(/try again|unavailable/i)
    expect(body).not.toMatch(/secret|postgres/)
  })

  test('a badge is an image that says so, in its style', async () => {
    for (const style of ['standard', 'square', 'dot']) {
      const image = await (await away.fetch(`/badge/failing.svg?style=${style}`)).text()
      expect(image).toStartWith('<svg')
      expect(image).toContain('unavailable')
    }
  })

  test('the error of the API has its shape', async () => {
    const body = await (await away.fetch('/api', call)).json()
    expect(body).toEqual({ error: 'unavailable', message: expect.stringContaining('Try again') })
  })

  test('/readyz says so, and the process is alive', async () => {
    const ready = await away.fetch('/readyz')
    expect(ready.status).toBe(503)
    expect(ready.headers.get('retry-after')).toBe('2')
    expect(kindHeaders('text', ready)).toEqual(answerKinds.text)
    expect(await ready.text()).toBe('not ready: database\n')
    expect((await away.fetch('/healthz')).status).toBe(200)
  })

  test.each(['/docs', '/sign-in', '/status'])(
    '%s is for the signed in what it is for everyone',
    async (path) => {
      const answers = [await away.fetch(path, { headers: cookie }), await away.fetch(path)]
      const [signedIn, anonymous] = await Promise.all(
        answers.map(async (answer) => [answer.status, await answer.text()]),
      )
      expect(signedIn as unknown).toEqual(anonymous)
      expect((await broken.fetch(path, { headers: cookie })).status).toBe(500)
    },
  )

  test.each([
    '/docs',
    '/openapi.json',
    '/sign-in',
    '/sign-up',
    '/favicon.svg',
    '/badge/no_name.svg',
    '/no_such/page',
  ])('%s needs no database', async (path) => {
    expect((await away.fetch(path)).status).toBeLessThan(500)
  })

  test('a token with a wrong checksum is refused without asking', async () => {
    const headers = { Authorization: `${Authorization.slice(0, -1)}_` }
    expect((await away.fetch('/api', { ...call, headers })).status).toBe(401)
  })

  test.each([
    ['refused', { code: 'ECONNREFUSED' }],
    ['ended by its administrator', { code: '57P01' }],
    ['full of connections', { code: '53300' }],
    ['out of disk', { code: '53100' }],
    ['cut off', { code: 'CONNECTION_CLOSED' }],
  ])('a connection that is %s counts as that', async (_, fields) => {
    const cause = Object.assign(new Error('postgres://u:secret@h'), fields)
    await using other = await startService({}, failingDatabase(new Error('Failed query', { cause })))
    const response = await other.fetch('/')
    expect(response.status).toBe(503)
    expect(await response.text()).not.toContain('secret')
  })
})

describe('a fault of ours', () => {
  test.each(needDatabase)('in a %s, %s, is 500 with a message of ours', async (kind, path, init) => {
    const response = await broken.fetch(path, init)
    expect(response.status).toBe(500)
    expect(kindHeaders(kind, response)).toEqual(answerKinds[kind])
    const body = await response.text()
    expect(body).not.toMatch(/secret|postgres|select|\.tsx?\b| at /)
    expect(body).toMatch(/our fault|unavailable/)
    if (kind === 'JSON')
      expect(JSON.parse(body)).toEqual({ error: 'internal_error', message: expect.any(String) })
  })

  test.each(['a string with a secret', 17, { secret: true }])(
    '%p that is thrown is 500 too',
    async (thrown) => {
      await using other = await startService({}, failingDatabase(thrown))
      const response = await other.fetch('/')
      expect(response.status).toBe(500)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).not.toContain('secret')
    },
  )
})

describe('the log', () => {
  test('has one line of JSON for each failure, without query, headers or body', async () => {
    await using service = await startService({}, failingDatabase(new Error('first\nsecond')))
    await service.fetch('/?category=feature&planted-query=1')
    await service.fetch('/api', call)
    await service.fetch('/sign-in', form)
    expect(service.logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ method: 'GET', path: '/', status: 500, error: 'first\nsecond' }),
      expect.objectContaining({ method: 'POST', path: '/api', status: 500 }),
      expect.objectContaining({ method: 'POST', path: '/sign-in', status: 500 }),
    ])
    const text = service.logged.join('')
    expect(text).not.toContain('\n')
    for (const secret of ['planted-query', Authorization.slice(7), password])
      expect(text).not.toContain(secret)
  })

  test('has what the database said, and not the values of the statement', async () => {
    const db = await sharedDatabase()
    const divide = () => db.write((queries) => queries.execute(sql`select 1 / 0, ${'planted-value'}::text`))
    await using service = await startService({}, standInDatabase(divide))
    const response = await service.fetch('/')
    expect(response.status).toBe(500)
    expect(service.logged).toHaveLength(1)
    expect(service.logged[0]).toContain('division by zero')
    expect(service.logged[0]).not.toContain('planted-value')
  })

  test('has one line for an outage that a hundred requests meet', async () => {
    await using service = await startService(
      {},
      failingDatabase(new Unavailable('no answer within the deadline')),
    )
    await Promise.all(Array.from({ length: 100 }, () => service.fetch('/badge/failing.svg')))
    expect(service.logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ method: 'GET', path: '/badge/failing.svg', status: 503 }),
    ])
  })

  test('has no line for what callers do wrong', async () => {
    await using service = await startService({ STREAMS_MAX: '1' })
    for (const path of ['/no/such/page', '/?before=x', '/settings', '/badge/no_name.svg'])
      await service.fetch(path)
    await service.fetch('/api', { method: 'POST' })
    const stream = { headers: { Accept: 'text/event-stream' } }
    const [first, second] = [
      await service.fetch('/feed/live', stream),
      await service.fetch('/feed/live', stream),
    ]
    expect([first.status, second.status]).toEqual([200, 503])
    await first.body?.cancel()
    expect(service.logged).toEqual([])
  })
})
