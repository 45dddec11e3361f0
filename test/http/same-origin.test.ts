import { describe, expect, test } from 'bun:test'
import { rawRequest } from '../support/http.ts'
import { cookieOf, sameOrigin, signUpPoster } from '../support/people.ts'
import { startService, useService } from '../support/service.ts'

const service = await useService({ BASE_URL: 'https://ship.example:8443' })
const plain = await startService()
const someone = await signUpPoster(plain)
await plain.close()
const cookie = `__Host-${someone.cookie}`
const poster = { ...someone, cookie }

type Headers = Record<string, string>

/** Sends a form with the owner's session and just these headers. */
function send(path: string, headers: Headers): Promise<Response> {
  const body = new URLSearchParams({ name: 'Changed by a form' })
  return service.fetch(path, { method: 'POST', body, headers: { Cookie: poster.cookie, ...headers } })
}

const ours: readonly (readonly [string, Headers])[] = [
  ['Sec-Fetch-Site: same-origin', sameOrigin],
  ['Sec-Fetch-Site: none, typed by its reader', { 'Sec-Fetch-Site': 'none' }],
  ['the public address as Origin', { Origin: 'https://ship.example:8443' }],
  ['the host of the public address, by another scheme', { Origin: 'http://ship.example:8443' }],
  ['same-origin, whatever Origin a proxy made of it', { ...sameOrigin, Origin: 'http://inside:3000' }],
]

const foreign: readonly (readonly [string, Headers])[] = [
  ['neither header', {}],
  ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['Sec-Fetch-Site: same-site, a neighbour', { 'Sec-Fetch-Site': 'same-site' }],
  ['cross-site with our Origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://ship.example:8443' }],
  ['a Sec-Fetch-Site that does not exist', { 'Sec-Fetch-Site': 'same' }],
  ['two of them', { 'Sec-Fetch-Site': 'same-origin, cross-site' }],
  ['another Origin', { Origin: 'https://evil.example' }],
  ['the opaque Origin', { Origin: 'null' }],
  ['an empty Origin', { Origin: '' }],
  ['a subdomain', { Origin: 'https://evil.ship.example:8443' }],
  ['our host as a prefix', { Origin: 'https://ship.example.evil.example' }],
  ['our host as a suffix', { Origin: 'https://evil-ship.example:8443' }],
  ['our host as a user', { Origin: 'https://ship.example:8443@evil.example' }],
  ['another port', { Origin: 'https://ship.example:8444' }],
  ['no port', { Origin: 'https://ship.example' }],
  ['our host without a scheme', { Origin: 'ship.example:8443' }],
  ['no address at all', { Origin: 'https://[' }],
  ['our address as Referer alone', { Referer: 'https://ship.example:8443/settings' }],
]

describe('a form is taken with', () => {
  test.each(ours)('%s', async (_, headers) => {
    const response = await send('/settings/profile', headers)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/settings?done=profile')
  })

  test('the address that the browser itself used as Origin', async () => {
    expect((await send('/settings/profile', { Origin: service.url })).status).toBe(303)
  })
})

describe('a form is refused with', () => {
  test.each(foreign)('%s', async (_, headers) => {
    const response = await send('/settings/profile', headers)
    expect(response.status).toBe(403)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

test('every form of the router is refused when another site sends it, and nothing happens', async () => {
  const { username, token } = poster
  const announced = await service.fetch('/api', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: new URLSearchParams({ message: 'Still here' }),
  })
  expect(announced.status).toBe(201)
  const { id } = (await announced.json()) as { id: number }

  const forms: string[] = []
  // A token, which no browser sends by itself, is needed for the API.
  for (const path of service.paths.filter((path) => !path.startsWith('/api'))) {
    const address = path.replace(':username', username).replace(':id', String(id))
    const { status } = await send(address, { 'Sec-Fetch-Site': 'cross-site' })
    if (status === 405) continue
    expect([path, status]).toEqual([path, 403])
    forms.push(path)
  }
  expect(forms.sort()).toEqual([
    '/:username/:id/delete',
    '/password',
    '/settings/checklist',
    '/settings/delete',
    '/settings/environment-order',
    '/settings/history/delete',
    '/settings/intakes',
    '/settings/intakes/:id/delete',
    '/settings/intakes/:id/filter',
    '/settings/intakes/:id/pause',
    '/settings/intakes/:id/resume',
    '/settings/password',
    '/settings/profile',
    '/settings/projects',
    '/settings/projects/separate',
    '/settings/sessions/end',
    '/settings/token',
    '/settings/tokens',
    '/settings/tokens/:id/end',
    '/settings/tokens/:id/roll',
    '/sign-in',
    '/sign-out',
    '/sign-up',
  ])

  expect((await service.fetch('/settings', { headers: { Cookie: poster.cookie } })).status).toBe(200)
  expect((await service.fetch(`/${username}/${id}`)).status).toBe(200)
})

test('POST /api takes a token from everywhere, since no browser sends one by itself', async () => {
  for (const [, headers] of foreign) {
    const response = await service.fetch('/api', {
      method: 'POST',
      headers: { Authorization: `Bearer ${poster.token}`, ...headers },
      body: new URLSearchParams({ message: 'From a pipeline' }),
    })
    expect(response.status).toBe(201)
  }
})

test('reading is safe from everywhere: a link of another site opens the page', async () => {
  const headers = { Cookie: poster.cookie, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
  expect((await service.fetch('/settings', { headers })).status).toBe(200)
  expect((await service.fetch('/settings', { method: 'HEAD', headers })).status).toBe(200)
})

test('signing someone in from another site is refused, even with the right password', async () => {
  const response = await send('/sign-in', { Origin: 'https://evil.example' })
  expect(response.status).toBe(403)
  expect(cookieOf(response)).toBe('')
})

test('a form with a Host that is no host is refused like any other', async () => {
  await using fresh = await startService()
  expect((await rawRequest(fresh, { method: 'POST', path: '/sign-in', host: 'a b' })).status).toBe(403)
  expect(fresh.events.map((line) => JSON.parse(line).event)).toEqual(['form_refused'])
})
