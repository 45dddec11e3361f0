import { describe, expect, test } from 'bun:test'
import { rawRequest } from '../support/http.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService({
  WEBHOOKS: 'any',
  REPORTS: 'on',
  OIDC_ISSUERS: 'https://gitlab.example.org',
})
const poster = await signUpPoster(service, { username: 'hostile-poster' })

const long = 'a'.repeat(10_000)

/** Never 5xx, never a redirect, never a word about our files. */
function expectRefusal({ status, text }: { status: number; text: string }, statuses: number[]): void {
  expect(statuses).toContain(status)
  expect(text).not.toMatch(/\.tsx?\b|node_modules|root:x:|Error:/)
  expect(text).not.toMatch(/\r\nlocation:/i)
}

describe('a path that no link of ours has is refused', () => {
  test.each(
    [
      ...['/%', '/%zz', '/%00', '/%0d%0aSet-Cookie:%20x=y', '/%c0%ae%c0%ae/', '/%E0%A4%A'],
      ...['/..%2f..%2fetc%2fpasswd', '/../../../etc/passwd', '/assets/../../package.json'],
      ...['/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/package.json'],
      ...['/assets/..\\..\\package.json', '/assets/', '/assets/constructor', '//', '//evil.example/x/y'],
      ...['///', '/\\evil.example', '/.env', '/.git/config', '/__proto__', '/constructor'],
      ...['/hostile-poster/__proto__', '/hostile-poster/1e3', '/hostile-poster/-1', '/hostile-poster/0x10'],
      ...['/hostile-poster/99999999999999999999', '/hostile-poster/%00', '/badge/', '/badge/.svg'],
      ...['/badge/%00.svg', '/badge/%zz.svg', '/badge/..%2fhostile-poster.svg', '/badge/__proto__.svg'],
      ...['/badge/<script>.svg', '/badge/a.svg/b', '/hostile-poster\u00e9', `/${long}`],
      ...[`/hostile-poster/${'9'.repeat(10_000)}`, `/badge/${long}.svg`, `/${'a/'.repeat(5_000)}`],
      ...['/hostile-poster/%c0%ae', '/badge/%c0%ae.svg', 'http://evil.example/x/y/z'],
    ].map((path) => [path.slice(0, 60), path]),
  )('%s', async (_, path = '') => {
    expectRefusal(await rawRequest(service, { path }), [400, 404])
  })
})

describe('hostile values of queries are no error of ours', () => {
  const pages = ['/', '/hostile-poster', '/sign-in', '/settings', '/docs', '/badge/hostile-poster.svg']
  const names = ['before', 'category', 'target', 'next', 'done', 'style', 'url', '__proto__', 'constructor']
  const values = [
    ...['', 'constructor', '__proto__', 'toString', '%00', '%zz', '%ff', '[]', '{}', '-1', '1e9', long],
  ]

  test.each(pages)('%s', async (page) => {
    for (const name of names) {
      for (const value of values) {
        const { status } = await poster.get(`${page}?${name}=${value}`)
        expect([page, name, value, status < 500]).toEqual([page, name, value, true])
      }
      const { status } = await poster.get(`${page}?${name}=%zz&${name}=`)
      expect([page, name, 'twice', status < 500]).toEqual([page, name, 'twice', true])
    }
  })
})

describe('the Host header', () => {
  test.each(['evil.example', 'a b', '%', '[', '[::', '///', '<script>', 'evil.example:99999', ''])(
    '%p breaks nothing and is believed nowhere',
    async (host) => {
      const pages = ['/', '/settings', '/no/such/page', '/hostile-poster/no-such-page']
      for (const path of [...pages, '/badge/hostile-poster.svg', '/api']) {
        const { status, text } = await rawRequest(service, { path, host })
        expect([200, 303, 400, 404, 405]).toContain(status)
        expect(text).not.toMatch(/evil\.example|<script>|\.tsx?\b|node_modules/)
      }
      const { status } = await rawRequest(service, { method: 'POST', path: '/sign-out', host })
      expect([400, 403]).toContain(status)
    },
  )

  test('links come from BASE_URL', async () => {
    const response = await service.fetch('/hostile-poster', { headers: { Host: 'evil.example' } })
    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page).toContain('http://shipfeed.test/badge/hostile-poster.svg')
    expect(page).not.toContain('evil.example')
  })
})

describe('a Host as short as the name of an upstream, which nginx sends,', () => {
  test.each(['a', 'ci', 'app'])('%s leaves every path as it is', async (host) => {
    const pages = { '/docs/': '<h1>Docs', '/healthz/': 'alive', [`/${poster.username}/`]: poster.name }
    for (const [path, part] of Object.entries(pages)) {
      const { status, text } = await rawRequest(service, { path, host })
      expect([path, status, text.includes(part)]).toEqual([path, 200, true])
    }
    expect((await rawRequest(service, { method: 'POST', path: '/api/', host })).status).toBe(401)
    const other = await rawRequest(service, { method: 'TRACE', path: '/docs?a=/b', host })
    expect([other.status, /\r\nallow: (.*)\r\n/i.exec(other.text)?.[1]]).toEqual([405, 'GET, HEAD'])
  })
})

test('a Host of 300 characters is taken, and a longer one refused before it is read', async () => {
  for (const path of ['/healthz', `/${poster.username}`, '/nowhere/at/all']) {
    const [taken, refused] = [
      await rawRequest(service, { path, host: 'a'.repeat(300) }),
      await rawRequest(service, { path, host: 'a'.repeat(301) }),
    ]
    expect([path, taken.status]).not.toEqual([path, 400])
    expect([path, refused.status, refused.text.split('\r\n\r\n')[1]]).toEqual([
      path,
      400,
      '{"error":"bad_request","message":"The Host header has more than 300 characters."}\n',
    ])
  }
})

test('what cannot be a part of an address is no error of ours, wherever it stands', async () => {
  const routes = service.paths.filter((path) => /[:*]/.test(path))
  expect(routes.length).toBeGreaterThan(30)
  for (const route of routes) {
    for (const part of ['%00', '%ff', "'", '%F0%9F%9A%80', '9'.repeat(30), long]) {
      const path = route.replace(/:kind/, 'github').replace(/:\w+|\*/g, part)
      for (const answer of [await poster.get(path), await poster.send(path, {})]) {
        const shown = path.slice(0, 100)
        expect([shown, answer.status < 500]).toEqual([shown, true])
        // Of a stream, which has no end.
        await answer.body?.cancel()
      }
    }
  }
})

test('nothing of all this was an error of ours', () => {
  expect(service.logged).toEqual([])
})
