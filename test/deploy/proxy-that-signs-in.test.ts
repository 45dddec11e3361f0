import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { emptyDatabase, query } from '../support/database.ts'
import { type RunningProxy, startNginxWith } from '../support/deploy/nginx.ts'
import { textOf } from '../support/markup.ts'
import { needing } from '../support/needs/needs.ts'
import { makeReadKey, sameOrigin } from '../support/people.ts'
import { freePort } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'

/** The header in which each product names the user, and those in which nginx passes on user and display name. */
const products = [
  {
    ...{ product: 'oauth2-proxy', answered: 'X-Auth-Request-Preferred-Username' },
    ...{ user: 'X-Forwarded-Preferred-Username', name: null },
  },
  { product: 'Authelia', answered: 'Remote-User', user: 'Remote-User', name: 'Remote-Name' },
  {
    ...{ product: 'Authentik', answered: 'X-authentik-username' },
    ...{ user: 'X-authentik-username', name: 'X-authentik-name' },
  },
]

needing('nginx').describe.each(products)(
  'Behind nginx that asks $product, as deploy/nginx-sign-in.conf has it',
  ({ answered, user, name }) => {
    const port = freePort()
    const address = `http://127.0.0.1:${port}`
    let authenticator: Bun.Server<undefined>
    let service: Service
    let nginx: RunningProxy

    beforeAll(async () => {
      // Knows those who have its cookie, as the product does.
      authenticator = Bun.serve({
        ...{ port: 0, hostname: '127.0.0.1' },
        fetch({ headers }) {
          const [, known] = /\bwho=(\w+)/.exec(headers.get('cookie') ?? '') ?? []
          if (known === undefined) return new Response(null, { status: 401 })
          return new Response(null, {
            headers: { [answered]: known, ...(name && { [name]: `${known} of Söder` }) },
          })
        },
      })
      service = await startService({
        ...{ BASE_URL: address, TRUSTED_PROXIES: '127.0.0.1', VISIBILITY: 'members' },
        ...{ TRUSTED_USER_HEADER: user, ...(name && { TRUSTED_NAME_HEADER: name }) },
      })
      await emptyDatabase(service.db)
      const variable = (header: string) => header.toLowerCase().replaceAll('-', '_')
      const server = readFileSync(join(import.meta.dir, '../../deploy/nginx-sign-in.conf'), 'utf8')
        .replace('listen 80;', `listen 127.0.0.1:${port};`)
        .replace('127.0.0.1:3000', new URL(service.url).host)
        .replaceAll('http://authelia:9091/', `http://127.0.0.1:${authenticator.port}/`)
        .replaceAll('remote_user', variable(answered))
        .replaceAll('remote_name', variable(name ?? 'remote_name'))
        .replaceAll('Remote-User', user)
        .replaceAll('Remote-Name', name ?? 'Remote-Name')
      nginx = await startNginxWith(port, server)
    })

    afterAll(async () => {
      await nginx.stop()
      await service.close()
      await authenticator.stop(true)
    })

    const ask = (path: string, init: RequestInit = {}) =>
      fetch(address + path, { redirect: 'manual', ...init })
    const signedIn = { Cookie: 'who=ada' }

    test('the user is signed in, with a name and a token that announces', async () => {
      const page = await (await ask('/settings', { headers: signedIn })).text()
      expect(page).toContain('href="/ada"')
      const profile = await ask('/ada', { headers: signedIn })
      expect(textOf(await profile.text(), 'h1')).toContain(name === null ? 'ada' : 'ada of Söder')
      const rolled = await ask('/settings/token', {
        ...{ method: 'POST', headers: { ...signedIn, ...sameOrigin } },
        body: new URLSearchParams({ keep_old: '' }),
      })
      const [cookie = ''] = rolled.headers.getSetCookie()
      const shown = await ask('/settings', {
        headers: { Cookie: `${signedIn.Cookie}; ${cookie.split(';')[0]}` },
      })
      const [token = ''] = (await shown.text()).match(/ship_[0-9A-Za-z]{36}/) ?? []
      const announced = await ask('/api', {
        ...{ method: 'POST', headers: { Authorization: `Bearer ${token}` } },
        body: new URLSearchParams({ message: 'Deployed' }),
      })
      expect(announced.status).toBe(201)
    })

    test('nobody is signed in by headers that they send themselves', async () => {
      const forged = { [user]: 'ada', [user.toLowerCase()]: 'ada' }
      expect((await ask('/settings', { headers: forged })).status).toBe(401)
      expect((await ask('/api/deployments', { headers: forged })).status).toBe(401)
      const other = await ask('/settings', { headers: { ...forged, Cookie: 'who=eve' } })
      expect(await other.text()).toContain('href="/eve"')
    })

    test('no address lets a stranger in by headers, or makes an account for one', async () => {
      const forged = {
        [user]: 'mallory',
        'X-Forwarded-For': '203.0.113.9',
        'X-Request-Id': 'chosen-by-mallory',
      }
      const paths = ['/', '/password', '/settings', '/mallory', '/feed/live', '/wall', '/feed.atom']
      for (const path of paths) {
        expect([path, (await ask(path, { headers: forged })).status]).toEqual([path, 401])
      }
      for (const path of [
        '/api/deployments',
        '/badge/mallory.svg',
        '/healthz',
        '/assets/x',
        '/openapi.json',
        '/ci/announce.sh',
      ]) {
        await ask(path, { headers: forged })
      }
      const accounts = await query(service.db, sql`select from users where username = 'mallory'`)
      expect(accounts).toEqual([])
      expect(service.logged.join('')).not.toContain('chosen-by-mallory')
    })

    test('feed readers, images and screens get in by a read key, and by no other', async () => {
      const cookie = signedIn.Cookie
      const person = {
        cookie,
        get: (path: string, headers: Record<string, string>) => ask(path, { headers }),
        send: (path: string) =>
          ask(path, {
            method: 'POST',
            body: new URLSearchParams({ key: '' }),
            headers: { ...sameOrigin, Cookie: cookie },
          }),
      }
      const key = await makeReadKey(person)
      const paths = ['/feed.atom', '/feed.json?category=feature', '/ada/year.svg', '/wall']
      for (const path of paths) {
        const withKey = (value: string) => `${path}${path.includes('?') ? '&' : '?'}key=${value}`
        expect([path, (await ask(withKey(key))).status]).toEqual([path, 200])
        expect([path, (await ask(withKey('read_wrong'))).status]).toEqual([
          path,
          path === '/wall' ? 403 : 401,
        ])
      }
      for (const path of [`/?key=${key}`, `/settings?a=/wall?key=${key}`, `/password?key=${key}`]) {
        expect([path, (await ask(path)).status]).toEqual([path, 401])
      }
    })

    test('a form from another site is refused', async () => {
      const headers = { ...signedIn, 'Sec-Fetch-Site': 'cross-site' }
      const body = new URLSearchParams({ name: 'Changed' })
      expect((await ask('/settings/profile', { method: 'POST', headers, body })).status).toBe(403)
    })
  },
)
