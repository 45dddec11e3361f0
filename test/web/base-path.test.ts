import { describe, expect, test } from 'bun:test'
import { emptyDatabase } from '../support/database.ts'
import { openEventSource } from '../support/live/event-source.ts'
import { elementsOf, olderLink } from '../support/markup.ts'
import { cookieOf, type Person, password, sameOrigin, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const base = '/our/ship'
const publicAddress = `https://ship.example${base}`
/** Asked as behind a proxy that takes the path off. */
const service = await useService({ BASE_URL: publicAddress })
await emptyDatabase(service.db)
const poster = await signUpPoster(service, { username: 'ada' })
for (let n = 0; n < 26; n += 1)
  await poster.announce({ message: `Of ada ${n}`, url: 'https://github.com/ada/x' })

const inAttributes = ['href', 'src', 'action', 'hx-get', 'hx-post', 'hx-sse:connect']

/** The addresses of our host in some markup, as a browser reads them. */
function addressesIn(markup: string): string[] {
  const values = elementsOf(markup).flatMap(({ attributes }) => inAttributes.map((name) => attributes[name]))
  return values.filter((value) => value?.startsWith('/')) as string[]
}

/** What a proxy asks for an address below the base path. */
function behindProxy(address: string): string {
  expect(address).toStartWith(`${base}/`)
  return address.slice(base.length)
}

describe('Below a path of its host', () => {
  test.each([
    ['somebody', null],
    ['their own', poster],
  ])(
    'every address on every page that %s can reach begins with it, and is there',
    async (_, who: Person | null) => {
      const left = [`${base}/`]
      const kinds = new Set<string>()
      for (const address of left) {
        const path = behindProxy(address)
        const response = who === null ? await service.fetch(path) : await who.get(path)
        kinds.add(
          new URL(path, publicAddress).pathname.replace(/\d+|ada/g, '*').replace(/^\/assets.*/, '/assets'),
        )
        // A form's address takes no GET.
        const isThere = response.status < 400 || response.status === 405
        expect([path, response.status, isThere]).toEqual([path, response.status, true])
        if (response.headers.get('content-type')?.startsWith('text/html') !== true) {
          await response.body?.cancel()
          continue
        }
        const page = await response.text()
        for (const found of addressesIn(page)) {
          const [plain = ''] = found.split('#')
          // Not followed: a stream does not end, and the others would sign out or delete.
          const isWalked = !/\/(feed\/live|sign-out|delete)\b/.test(plain)
          behindProxy(plain)
          if (isWalked && !left.includes(plain)) left.push(plain)
        }
      }
      const everywhere = ['/', '/*', '/*/*', '/*/badge', '/badge/*.svg', '/docs', '/assets', '/favicon.svg']
      expect([...kinds]).toEqual(
        expect.arrayContaining([...everywhere, who === null ? '/sign-up' : '/settings']),
      )
    },
  )

  test('what htmx adds to a page begins with it too', async () => {
    const older = behindProxy(olderLink(await (await service.fetch('/')).text()) ?? '')
    const part = await service.fetch(older, { headers: { 'HX-Request': 'true' } })
    const polled = await service.fetch('/feed/live?after=1', { headers: { Accept: 'text/html' } })
    const source = await openEventSource(service, '/feed/live')
    await poster.announce({ message: 'Live' })
    const { data } = await source.find(({ id, data }) => id !== null && (data ?? '').includes('Live'))
    source.close()
    for (const markup of [await part.text(), await polled.text(), data ?? '']) {
      const found = addressesIn(markup)
      expect(found.length).toBeGreaterThan(1)
      found.map(behindProxy)
    }
  })

  test('redirects stay below it, with scripts and without', async () => {
    const fields = new URLSearchParams({ username: 'ada', password, next: '/ada?category=feature' })
    const signIn = (headers: Record<string, string>) =>
      service.fetch('/sign-in', { method: 'POST', body: fields, headers: { ...sameOrigin, ...headers } })
    expect((await signIn({})).headers.get('location')).toBe(`${base}/ada?category=feature`)
    expect((await signIn({ 'HX-Request': 'true' })).headers.get('hx-redirect')).toBe(
      `${base}/ada?category=feature`,
    )
    const refused = await service.fetch('/settings')
    expect([refused.status, refused.headers.get('location')]).toEqual([
      303,
      `${base}/sign-in?next=%2Fsettings`,
    ])
    const announced = await poster.announce({ message: 'Where is it?' })
    expect(announced.headers.get('location')).toMatch(new RegExp(`^${publicAddress}/ada/\\d+$`))
  })

  test('cookies are sent to no other service on the host, and its own data is kept', async () => {
    const { username } = await signUpPoster(service)
    const fields = new URLSearchParams({ username, password })
    const signedIn = await service.fetch('/sign-in', { method: 'POST', body: fields, headers: sameOrigin })
    for (const cookie of signedIn.headers.getSetCookie()) {
      expect(cookie).toMatch(new RegExp(`^__Secure-\\w+=.*; Path=${base}; `))
    }
    const headers = { ...sameOrigin, Cookie: cookieOf(signedIn) }
    const signedOut = await service.fetch('/sign-out', { method: 'POST', headers })
    expect(signedOut.headers.get('clear-site-data')).toBeNull()
    const rolled = await poster.send('/settings/token', { password })
    expect(rolled.headers.getSetCookie().join()).toMatch(new RegExp(`; Path=${base}/settings; `))
  })

  test('the page that led to signing in is found again', async () => {
    const asked = { headers: { Referer: `${service.url}${base}/ada` } }
    expect(await (await service.fetch('/sign-in', asked)).text()).toContain('name="next" value="/ada"')
    const other = { headers: { Referer: `${service.url}/another-service` } }
    expect(await (await service.fetch('/sign-in', other)).text()).not.toContain('name="next"')
  })

  test('snippets, documents and crawlers read it', async () => {
    const text = async (path: string) => (await service.fetch(path)).text()
    expect(await text('/ada/badge')).toContain(`${publicAddress}/badge/ada.svg`)
    expect(await text('/docs')).toContain(`curl ${publicAddress}/api`)
    expect(JSON.parse(await text('/openapi.json')).servers).toEqual([{ url: publicAddress }])
    const { headers } = await service.fetch('/api/deployments')
    expect(headers.get('link')).toStartWith(`<${publicAddress}/api/deployments?`)
    expect(await text('/robots.txt')).toContain(`\nDisallow: ${base}/settings$\n`)
  })

  test.each(['/docs', '/api', '/ada', ''])(
    'a proxy that does not remove it gets a hint: %s',
    async (path) => {
      const response = await service.fetch(`${base}${path}`)
      expect(response.status).toBe(404)
      expect(await response.text()).toContain(`has to remove ${base} from every address`)
    },
  )
})
