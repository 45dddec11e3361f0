import { describe, expect, test } from 'bun:test'
import { readKeyFrom } from '../../../src/capabilities/members-only/rules.ts'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { tokenFrom } from '../../../src/domain/account/token.ts'
import { assetAddresses } from '../../../src/web/assets.ts'
import { runBy } from '../../support/database.ts'
import { storedDeployments } from '../../support/deployments.ts'
import { elementsOf, textOf } from '../../support/markup.ts'
import { addToken, makeReadKey, signUpPoster } from '../../support/people.ts'
import { sharedDatabase, startService, useService } from '../../support/service.ts'

const db = await sharedDatabase()
let statements = 0
const counted = runBy((work, lane) => {
  statements += 1
  return db.write(work, lane)
}, db)

const issuer = 'https://gitlab.com'
const closed = {
  VISIBILITY: 'members',
  WEBHOOKS: 'any',
  OIDC_ISSUERS: issuer,
  MCP: 'read',
  ACCESS_LOG: '1',
  LOG_LEVEL: 'debug',
}
const service = await useService({ ...closed, BADGE_CDN: 'on', METRICS_PORT: '0' }, counted)
const withoutWalls = await useService({ ...closed, VISIBILITY: 'public' })
const withBadges = await useService({ ...closed, BADGES: 'public' })

const known = await signUpPoster(service, { username: 'known-person' })
/** As long as the name of the known one. */
const unknown = 'other-person'
const id = await known.announced({
  message: 'Deployed',
  url: 'https://github.com/ada/engine',
  environment: 'qa',
})
const key = await makeReadKey(known)
const { token: reading } = await addToken(known, { name: 'reads', announce: '', read: 'on' })
const { token: announcing } = await addToken(known, { name: 'announces' })

/** The routes that everybody may use. */
const open = [
  ...['/api', '/api/check', '/api/history', '/api/in/:kind/:id', '/api/oidc', '/api/token'],
  ...['/ci/announce.sh', '/ci/gitlab.yml', '/ci/history.sh', '/healthz', '/readyz', '/assets/*'],
  ...['/favicon.svg', '/favicon.ico', '/apple-touch-icon.png', '/robots.txt', '/.well-known/security.txt'],
  ...['/sign-in', '/sign-out', '/sign-up', '/password'],
]
const openByKey = [
  ...['/badge/:file', '/badge/:file/*', '/:username/year.svg', '/wall', '/feed/live'],
  ...['/feed.atom', '/feed.json', '/oembed'],
  ...['/:username/feed.atom', '/:username/feed.json', '/api/deployments', '/api/deployments/live'],
]
const openByToken = [
  ...[
    '/api/deployments',
    '/api/deployments/live',
    '/api/deployments/:id',
    '/api/current',
    '/api/compare',
    '/api/releases',
    '/openapi.json',
  ],
]

/** An address of a route that names this person, and their deployment. */
function addressOf(route: string, username: string): string {
  const path = route
    .replace('/assets/*', assetAddresses.css)
    .replace(':username', username)
    .replace(':file/*', `${username}/github.com/ada/engine.svg`)
    .replace(':file', `${username}.svg`)
    .replace(':kind', 'github')
    .replaceAll(':id', String(id))
    .replace('*', 'github.com/ada/engine')
  if (route === '/api/releases') return `${path}?user=${username}&target=github.com/ada/engine`
  const isOfUser = [
    '/api/compare',
    '/api/current',
    '/api/deployments',
    '/api/deployments/live',
    '/feed/live',
    '/wall',
  ]
  return isOfUser.includes(route) ? `${path}?user=${username}` : path
}

const ask = service.fetch
const bearing = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
const withKey = (path: string, by = key) => `${path}${path.includes('?') ? '&' : '?'}key=${by}`
const signedIn = { headers: { Cookie: known.cookie } }

const routes = service.paths
const closedRoutes = routes.filter((route) => !open.includes(route))
/** A method that a route does not take is 405 to everybody. */
const isLetIn = ({ status, headers }: Response) =>
  status !== 401 && status !== 405 && !(headers.get('location') ?? '').startsWith('/sign-in')

/** All that an answer tells, except for the name that was asked for. A stream is not read. */
async function toldBy(response: Response, username: string): Promise<unknown> {
  const { status, headers } = response
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  const text = isStream ? '' : await response.text()
  if (isStream) await response.body?.cancel()
  const told = [status, [...headers].filter(([name]) => name !== 'date'), text]
  return JSON.parse(JSON.stringify(told).replaceAll(username, 'somebody'))
}

test('each route that is open, or opens by a key or token, is one of the router', () => {
  expect(routes.length).toBeGreaterThan(50)
  expect([...open, ...openByKey, ...openByToken].filter((route) => !routes.includes(route))).toEqual([])
})

describe('a stranger', () => {
  test.each(closedRoutes)(
    'is turned away at %s, whichever user it names, and nothing is looked up',
    async (route) => {
      for (const method of ['GET', 'POST', 'HEAD']) {
        if (method !== 'GET' && route === '/api/deployments/:id') continue
        const before = statements
        const answers = [known.username, unknown].map(async (username) => {
          const response = await ask(addressOf(route, username), {
            method,
            headers: { 'If-None-Match': '*' },
          })
          expect([method, isLetIn(response)]).toEqual([method, false])
          expect(response.headers.get('cache-control')).toContain('no-store')
          return await toldBy(response, username)
        })
        const [one, other] = await Promise.all(answers)
        expect(one).toEqual(other)
        expect(statements).toBe(before)
      }
    },
  )

  test.each(open)('is answered at %s as in an open house', async (route) => {
    for (const method of ['GET', 'POST']) {
      const path = addressOf(route, known.username)
      const answers = [withoutWalls, service].map((at) => at.fetch(path, { method }))
      const [expected, answer] = await Promise.all(answers)
      expect([method, answer?.status]).toEqual([method, expected?.status])
      expect(answer?.headers.get('location')).toBe(expected?.headers.get('location') ?? null)
    }
  })

  test('with a made-up session, key or token is one, too', async () => {
    const other = new Uint8Array(32).fill(9)
    for (const route of closedRoutes) {
      const path = withKey(addressOf(route, known.username), readKeyFrom(other))
      const headers = { Cookie: `session=${'a'.repeat(43)}`, Authorization: `Bearer ${tokenFrom(other)}` }
      expect([route, isLetIn(await ask(path, { headers }))]).toEqual([route, false])
    }
  })

  test.each([
    ['a page', '/known-person/github.com/ada/engine?env=qa', '/known-person/github.com/ada/engine?env=qa'],
    [
      'a wallboard with an old key',
      `/wall?user=known-person&key=${readKeyFrom(new Uint8Array(32))}`,
      '/wall?user=known-person',
    ],
  ])('who opens %s signs in and gets there', async (_, path, wanted) => {
    const sent = await ask(path)
    expect(sent.status).toBe(303)
    const to = sent.headers.get('location') ?? ''
    expect(to).toBe(`/sign-in?next=${encodeURIComponent(wanted)}`)
    const form = await (await ask(to)).text()
    expect(form).toContain(`name="next" value="${wanted.replaceAll('&', '&amp;')}"`)
  })

  test('is told 401 in JSON by what is for programs', async () => {
    for (const path of [
      '/api/deployments',
      '/feed.json',
      '/feed.atom',
      '/feed/live',
      '/badge/known-person.json',
    ]) {
      const response = await ask(path)
      expect([path, response.status, await response.json()]).toEqual([path, 401, { error: 'Unauthorized' }])
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
  })
})

describe('a member', () => {
  test.each(closedRoutes)('may use %s', async (route) => {
    const response = await ask(addressOf(route, known.username), signedIn)
    const { status, headers } = response
    expect(isLetIn(response)).toBe(status !== 405)
    expect(headers.get('cdn-cache-control')).toBeNull()
    await response.body?.cancel()
    if (status === 405) return
    expect(headers.get('cache-control')).toMatch(/no-store|^private, no-cache$/)
    expect(headers.get('vary')).toContain('Cookie, Authorization')
  })
})

describe('a read key', () => {
  test.each(closedRoutes)('opens what it may, and nothing else, at %s', async (route) => {
    const response = await ask(withKey(addressOf(route, known.username)))
    expect(isLetIn(response)).toBe(openByKey.includes(route))
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(JSON.stringify([...response.headers])).not.toContain(key)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isStream) await response.body?.cancel()
    else expect(await response.text()).not.toContain(key)
  })

  test('opens the year of a project, and never its page', async () => {
    const year = '/known-person/github.com/ada/engine/year.svg'
    expect((await ask(withKey(year))).status).toBe(200)
    await known.announced({ message: 'A project with that name', url: `https://github.com/ada/year.svg` })
    const named = await ask(withKey('/known-person/github.com/ada/year.svg'))
    expect(named.headers.get('content-type')).toStartWith('image/svg+xml')
    const page = await known.get('/known-person/github.com/ada/year.svg')
    expect(page.headers.get('content-type')).toStartWith('text/html')
  })

  test('changes nothing', async () => {
    for (const route of closedRoutes) {
      const response = await ask(withKey(addressOf(route, known.username)), { method: 'POST' })
      expect([route, isLetIn(response)]).toEqual([route, false])
    }
    expect((await ask(withKey(`/api/deployments/${id}`), { method: 'DELETE' })).status).toBe(401)
    expect((await ask(withKey('/api'), { method: 'POST' })).status).toBe(401)
  })

  test('is in no line of the log and no metric', async () => {
    await ask(withKey('/wall'))
    await ask(withKey('/known-person'))
    expect(service.logged.length).toBeGreaterThan(0)
    const told = [...service.logged, ...service.events, await service.metrics()].join('\n')
    expect(told).not.toContain(key)
    expect(told).not.toContain(hashSecret(key))
  })

  test('is shown once, and the one before ends at once when it is rolled', async () => {
    const first = await makeReadKey(known)
    expect(await (await known.get('/settings')).text()).not.toContain(first)
    expect(await (await known.get('/settings')).text()).toContain(`read_…${first.slice(-4)}`)
    expect((await ask(withKey('/wall', first))).status).toBe(200)
    const second = await makeReadKey(known)
    expect(isLetIn(await ask(withKey('/wall', first)))).toBeFalse()
    expect((await ask(withKey('/wall', second))).status).toBe(200)
    expect(textOf(await (await known.get('/settings')).text(), '#read-key')).toMatch(/last used/)
  })

  test('ends with its account', async () => {
    const other = await signUpPoster(service)
    const otherKey = await makeReadKey(other)
    expect((await ask(withKey('/wall', otherKey))).status).toBe(200)
    await other.send('/settings/delete', { username: other.username, password: 'correct horse battery' })
    expect(isLetIn(await ask(withKey('/wall', otherKey)))).toBeFalse()
  })
})

describe('a token that may read', () => {
  test.each(closedRoutes)('opens what it may, and nothing else, at %s', async (route) => {
    const response = await ask(addressOf(route, known.username), bearing(reading))
    expect([response.status, isLetIn(response)]).toEqual([response.status, openByToken.includes(route)])
    await response.body?.cancel()
  })

  test('says in the settings that it was used', async () => {
    expect(textOf(await (await known.get('/settings/tokens')).text(), '#own-tokens')).toContain(
      'from reading',
    )
  })

  test('differs from one that may not, which is told what it may do', async () => {
    const response = await service.fetch('/api/deployments', bearing(announcing))
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      error: 'forbidden',
      message: 'This token (announces) may only announce. Use a token that may read.',
    })
  })
})

describe('with BADGES=public', () => {
  const at = (path: string, init: RequestInit = {}) =>
    fetch(withBadges.url + path, { redirect: 'manual', ...init })

  test.each([
    '/badge/known-person.svg',
    '/badge/known-person.json',
    '/known-person/year.svg',
    '/known-person/github.com/ada/engine/year.svg',
  ])('everybody sees %s', async (path) => {
    expect((await at(path)).status).toBe(200)
  })

  test('everything else stays closed, and so does a project with the name of a year', async () => {
    const picturesOfBadges = ['/badge/:file', '/badge/:file/*', '/:username/year.svg']
    const others = closedRoutes.filter((route) => !picturesOfBadges.includes(route))
    for (const route of others) {
      expect([route, isLetIn(await at(addressOf(route, known.username)))]).toEqual([route, false])
    }
    await known.announced({ message: 'Another', url: 'https://gitlab.com/ada/year.svg' })
    const named = await at('/known-person/gitlab.com/ada/year.svg')
    expect(named.headers.get('content-type')).toStartWith('image/svg+xml')
  })

  test('the panel to copy a badge asks for no key, and otherwise does', async () => {
    for (const path of ['/known-person', '/known-person/badge']) {
      const panels = [withBadges, service].map(async (house) => {
        const page = await house.fetch(path, signedIn)
        return textOf(await page.text(), '#embed').includes('read key')
      })
      expect([path, await Promise.all(panels)]).toEqual([path, [false, true]])
    }
  })

  test('a CDN may keep badges, and otherwise may not', async () => {
    await using service = await startService({ ...closed, BADGES: 'public', BADGE_CDN: 'on' })
    const badge = await fetch(`${service.url}/badge/known-person.svg`)
    expect(badge.headers.get('cdn-cache-control')).toContain('max-age')
    const ofMember = await ask('/badge/known-person.svg', signedIn)
    expect([ofMember.status, ofMember.headers.get('cdn-cache-control')]).toEqual([200, null])
  })
})

test('nothing that a member was shown reaches a stranger who asks at the same time', async () => {
  const paths = [
    '/',
    '/known-person',
    '/feed.json',
    '/api/deployments',
    '/wall',
    '/docs',
    '/badge/known-person.svg',
  ]
  for (const path of paths) {
    const asked = Array.from({ length: 8 }, (_, n) => ask(path, n % 2 === 0 ? signedIn : {}))
    const answers = await Promise.all(asked)
    expect([path, answers.map(isLetIn)]).toEqual([path, answers.map((_, n) => n % 2 === 0)])
  }
})

test('announcing is as ever', async () => {
  const before = await storedDeployments(db, known.username)
  expect((await known.announce({ message: 'Again' })).status).toBe(201)
  expect(await storedDeployments(db, known.username)).toHaveLength(before.length + 1)
})

test('its sign-in page links to no page that leads back to it', async () => {
  const linksOn = async (page: Response) =>
    elementsOf(await page.text()).flatMap(({ name, attributes: { href } }) =>
      name === 'a' && href ? [href] : [],
    )
  const signIn = await linksOn(await service.fetch('/sign-in'))
  for (const href of signIn.filter((href) => href.startsWith('/') && href !== '/')) {
    expect((await service.fetch(href, { redirect: 'manual' })).headers.get('location') ?? '').not.toStartWith(
      '/sign-in',
    )
  }
  expect(signIn).not.toContain('/docs')
  expect(await linksOn(await known.get('/'))).toEqual(
    expect.arrayContaining(['/docs', '/feed.atom', '/status']),
  )
  expect(await linksOn(await withoutWalls.fetch('/sign-in'))).toContain('/docs')
})
