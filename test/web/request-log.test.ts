import { expect, test } from 'bun:test'
import { Unavailable } from '../../src/database/errors.ts'
import { failingDatabase } from '../support/database.ts'
import { type Service, startService } from '../support/service.ts'

const failing = () => failingDatabase(new Error('broken'))
const proxied = { TRUSTED_PROXIES: '127.0.0.1' }
const random = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/** The facts of the lines that a service has written of requests, without when and how long. */
function linesOf(service: Service): Record<string, unknown>[] {
  return [...service.logged, ...service.events].map((line) => JSON.parse(line))
}

test('a fault says of which request it was: its id, route, path, status and how long it took', async () => {
  await using service = await startService({}, failing())
  await service.fetch('/ada?planted=1')
  const [line] = linesOf(service)
  expect(line).toMatchObject({
    level: 'error',
    event: 'fault',
    method: 'GET',
    route: '/:username',
    path: '/ada',
    status: 500,
    error: 'broken',
  })
  expect(line?.request).toMatch(random)
  expect(line?.durationMs).toBeGreaterThan(0)
})

test.each([
  ['a trusted proxy has sent it', proxied, 'edge-1.2:a+/=@_', 'edge-1.2:a+/=@_'],
  ['nobody is trusted', {}, 'made-up', random],
  ['it could break a line', proxied, '{"a": 1}', random],
  ['it is too long', proxied, 'a'.repeat(129), random],
  ['none was sent', proxied, '', random],
])('the id of a request, where %s', async (_, environment, sent, expected) => {
  await using service = await startService(environment, failing())
  await service.fetch('/', { headers: sent === '' ? {} : { 'X-Request-Id': sent } })
  expect(linesOf(service)[0]).toMatchObject({ request: expect.stringMatching(expected) })
})

test('all lines of one request have one id', async () => {
  await using service = await startService({ ACCESS_LOG: '1' }, failing())
  await service.fetch('/sign-in', { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' } })
  const lines = linesOf(service)
  expect(lines.map(({ event }) => event).sort()).toEqual(['form_refused', 'request'])
  expect(new Set(lines.map(({ request }) => request)).size).toBe(1)
})

test('ACCESS_LOG=1 gives every request a line with the pattern of its route, and 0 gives none', async () => {
  await using silent = await startService()
  await using service = await startService({ ACCESS_LOG: '1' })
  for (const { fetch } of [silent, service]) {
    await fetch('/badge/nobody.svg?style=dot')
    await fetch('/badge/nobody.json')
    await fetch('/settings')
    await fetch('/no/such/page')
    await fetch('/api', { method: 'DELETE' })
    await fetch('/healthz', { method: 'HEAD' })
  }
  expect(silent.logged).toEqual([])
  expect(linesOf(service).map(({ event, method, route, status }) => [event, method, route, status])).toEqual([
    ['request', 'GET', '/badge/:file', 200],
    ['request', 'GET', '/badge/:file', 404],
    ['request', 'GET', '/settings', 303],
    ['request', 'GET', '/:username/*', 404],
    ['request', 'DELETE', '/api', 405],
    ['request', 'HEAD', '/healthz', 200],
  ])
})

test('ACCESS_LOG=0.5 logs a random half', async () => {
  await using service = await startService({ ACCESS_LOG: '0.5' })
  for (let n = 0; n < 200; n += 1) await service.fetch('/healthz')
  expect(service.logged.length).toBeWithin(40, 160)
})

test('LOG_LEVEL=debug logs refused requests and the reasons; error does not log an outage', async () => {
  await using curious = await startService({ LOG_LEVEL: 'debug' })
  await curious.fetch('/api', { method: 'POST' })
  expect(linesOf(curious)).toEqual([
    expect.objectContaining({
      level: 'debug',
      event: 'refused',
      route: '/api',
      status: 401,
      code: 'unauthorized',
    }),
  ])
  await using quiet = await startService({ LOG_LEVEL: 'error' }, failingDatabase(new Unavailable('away')))
  await quiet.fetch('/')
  expect(quiet.logged).toEqual([])
})
