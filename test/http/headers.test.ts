import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { assetAddresses } from '../../src/web/assets.ts'
import { type AnswerKind, answerKinds, kindHeaders } from '../support/answer-kinds.ts'
import { sameOrigin, signUpPoster } from '../support/people.ts'
import { type Service, startService, useService } from '../support/service.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '3' })
const poster = await signUpPoster(service, { username: 'headers-poster' })
const announced = await poster.announce({ message: '🚀 feat: headers', url: 'https://a.example/x' })
const id = ((await announced.json()) as { id: number }).id

const owner = (): Record<string, string> => ({ Cookie: poster.cookie })
const form = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { ...owner(), ...sameOrigin, ...headers },
  body: new URLSearchParams(fields),
})
const call = (body: string, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { Authorization: `Bearer ${poster.token}`, 'Content-Type': type },
  body,
})

type Case = [kind: AnswerKind, status: number, path: string, init: () => RequestInit]

const plain = () => ({})

const cases: Case[] = [
  ['public page', 200, '/', plain],
  ['public page', 200, '/?before=999999999', () => ({ headers: { 'HX-Request': 'true' } })],
  ['public page', 200, '/docs', plain],
  ['public page', 200, '/headers-poster', plain],
  ['public page', 200, '/headers-poster/ID', plain],
  ['own page', 200, '/', () => ({ headers: owner() })],
  ['own page', 200, '/?before=999999999', () => ({ headers: { ...owner(), 'HX-Request': 'true' } })],
  ['own page', 200, '/docs', () => ({ headers: owner() })],
  ['own page', 200, '/headers-poster', () => ({ headers: owner() })],
  ['own page', 200, '/headers-poster/ID', () => ({ headers: owner() })],
  ['own page', 200, '/settings', () => ({ headers: owner() })],
  ['own page', 200, '/sign-up', plain],
  ['own page', 200, '/sign-in', plain],
  ['redirect', 303, '/settings', plain],
  ['redirect', 303, '/sign-in', () => ({ headers: owner() })],
  ['redirect', 303, '/settings/profile', () => form({ name: 'Headers' })],
  ['redirect', 303, '/settings/token', () => form({}, { Cookie: '' })],
  ['own page', 400, '/?before=x', plain],
  ['own page', 400, '/?category=x', plain],
  ['own page', 400, '/settings/profile', () => form({}, { 'Content-Type': 'multipart/form-data' })],
  ['own page', 403, '/settings/profile', () => form({ name: 'x' }, { 'Sec-Fetch-Site': 'cross-site' })],
  ['own page', 404, '/headers-nobody', plain],
  ['own page', 404, '/headers-poster/1/2/3', plain],
  ['own page', 404, '/assets/nothing.js', plain],
  ['own page', 405, '/settings', () => ({ method: 'DELETE' })],
  ['own page', 405, '/healthz', () => ({ method: 'POST' })],
  ['own page', 413, '/settings/profile', () => form({ name: 'x'.repeat(70_000) })],
  ['own page', 415, '/settings/profile', () => form({}, { 'Content-Type': 'text/plain' })],
  ['own page', 422, '/settings/profile', () => form({ name: '' })],
  ['own page', 422, '/sign-up', () => form({})],
  ['badge', 200, '/badge/headers-poster.svg', plain],
  ['badge', 200, '/badge/headers-poster.svg?style=dot&url=a.example', () => ({ headers: owner() })],
  ['badge', 200, '/badge/headers-nobody.svg', plain],
  ['badge', 404, '/badge/no_name.svg', plain],
  ['badge', 404, '/badge/headers-poster.png', plain],
  ['badge', 405, '/badge/headers-poster.svg', () => ({ method: 'POST' })],
  ['badge JSON', 200, '/badge/headers-poster.json', plain],
  ['badge JSON', 404, '/badge/headers-nobody.json', plain],
  ['badge JSON', 405, '/badge/headers-poster.json', () => ({ method: 'PUT' })],
  ['JSON', 405, '/openapi.json', () => ({ method: 'POST' })],
  ['JSON', 405, '/api', plain],
  ['JSON', 405, '/api/', plain],
  ['JSON', 401, '/api', () => ({ method: 'POST' })],
  ['JSON', 400, '/api', () => call('{')],
  ['JSON', 413, '/api', () => call('x'.repeat(70_000))],
  ['JSON', 415, '/api', () => call('x', 'text/plain')],
  ['JSON', 422, '/api', () => call('{}')],
  ['JSON', 201, '/api', () => call('{"message":"Second"}')],
  ['JSON', 201, '/api/', () => call('{"message":"Third"}')],
  ['JSON', 429, '/api', () => call('{"message":"Fourth"}')],
  ['text', 200, '/healthz', plain],
  ['text', 200, '/readyz', plain],
  ['hashed asset', 200, assetAddresses.css, plain],
  ['hashed asset', 200, assetAddresses.htmx, plain],
  ['asset', 200, '/favicon.svg', plain],
  ['asset', 200, '/robots.txt', plain],
]

test.each([
  ['subdomains', 'https://ship.example', 'max-age=63072000; includeSubDomains'],
  ['off', 'https://ship.example', null],
  ['subdomains', 'http://ship.example', null],
])('HSTS=%s with %s', async (HSTS, BASE_URL, expected) => {
  await using other = await startService({ HSTS, BASE_URL })
  const { headers } = await other.fetch('/robots.txt')
  expect(headers.get('strict-transport-security')).toBe(expected)
})

describe.each(['http://ship.example', 'https://ship.example'])('with the public address %s', (baseUrl) => {
  let other: Service
  const isSecure = baseUrl.startsWith('https:')
  beforeAll(async () => {
    other = await startService({ BASE_URL: baseUrl, RATE_LIMIT_PER_MINUTE: '3' })
  })
  afterAll(() => other.close())

  const strict = isSecure ? { 'strict-transport-security': 'max-age=63072000' } : {}
  // The session's cookie has another name with https, and the user's three calls are made by then.
  const shown = isSecure
    ? cases.filter(([kind, status, , init]) => init === plain && kind !== 'own page' && status < 300)
    : cases

  test.each(shown)(
    'a %s, %i at %s, has the headers of its kind and no other',
    async (kind, status, path, init) => {
      const response = await other.fetch(path.replace('ID', String(id)), init())
      expect(response.status).toBe(status)
      expect(kindHeaders(kind, response)).toEqual({ ...answerKinds[kind], ...strict })
    },
  )

  test.each([
    [404, '/no/page/here'],
    [405, '/api'],
    [404, '/badge/no_name.svg'],
    [303, '/settings'],
  ])('%i at %s keeps to the transport too', async (status, path) => {
    const response = await other.fetch(path)
    expect(response.status).toBe(status)
    expect(response.headers.get('strict-transport-security')).toBe(
      strict['strict-transport-security'] ?? null,
    )
  })
})
