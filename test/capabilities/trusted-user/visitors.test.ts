import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { readKeyFrom } from '../../../src/capabilities/members-only/rules.ts'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { query } from '../../support/database.ts'
import { textOf } from '../../support/markup.ts'
import { sameOrigin, signUpPoster } from '../../support/people.ts'
import { type Service, startService, useService } from '../../support/service.ts'

const proxied = { TRUSTED_USER_HEADER: 'Remote-User', TRUSTED_NAME_HEADER: 'Remote-Name' }
const behindOurs = { ...proxied, TRUSTED_PROXIES: '127.0.0.1' }
const plain = await useService()
const ada = await signUpPoster(plain, { username: 'augusta', name: 'Ada Lovelace' })
const service = await useService(behindOurs)
const closed = await useService({ ...behindOurs, REGISTRATION: 'closed', VISIBILITY: 'members' })

/** Asks as a proxy does for somebody who is signed in there. */
function as(user: string, path: string, init: RequestInit = {}, at: Service = service): Promise<Response> {
  return at.fetch(path, { ...init, headers: { 'Remote-User': user, ...init.headers } })
}

const heading = async (response: Response) => textOf(await response.text(), 'main')
const accounts = (username: string) =>
  query<{ name: string }>(service.db, sql`select name from users where username = ${username}`)

describe('the user that a trusted proxy names', () => {
  test.each(['augusta', 'Augusta'])('is signed in: %s', async (user) => {
    const settings = await as(user, '/settings')
    expect(settings.status).toBe(200)
    expect(settings.headers.get('cache-control')).toBe('no-store')
    const text = await settings.text()
    expect(text).toContain('href="/augusta"')
    expect(text).not.toMatch(/type="password"|Sign out|Sessions/)
  })

  test('gets an account with the name that the proxy sends, once', async () => {
    const headers = { 'Remote-User': 'hopper', 'Remote-Name': Buffer.from('Grace Höpper').toString('latin1') }
    const asked = Array.from({ length: 5 }, () => service.fetch('/settings', { headers }))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200))
    expect(await accounts('hopper')).toEqual([{ name: 'Grace Höpper' }])
    expect(service.events.filter((line) => line.includes('signed_up'))).toHaveLength(1)
  })

  test.each([undefined, '', 'a'.repeat(61)])('is called by username if the name is %p', async (name) => {
    const user = `named-${(name ?? 'none').length}`
    await as(user, '/', name === undefined ? {} : { headers: { 'Remote-Name': name } })
    expect(await accounts(user)).toEqual([{ name: user }])
  })

  test.each(['ada@ship.example', 'ada.lovelace', 'ada, grace', 'admin', 'a'.repeat(40), '~1'])(
    'is refused if it is no username: %s',
    async (user) => {
      const response = await as(user, '/settings')
      expect(response.status).toBe(403)
      expect(await heading(response)).toContain('not a valid username')
      expect((await as(user, '/')).status).toBe(200)
    },
  )

  test('gets no account while registration is closed', async () => {
    const response = await as('linus', '/settings', {}, closed)
    expect(response.status).toBe(403)
    expect(await heading(response)).toContain('There is no account @linus')
    expect(await accounts('linus')).toEqual([])
    expect((await as('augusta', '/', {}, closed)).status).toBe(200)
  })

  test('makes and rolls tokens without a password, and deletes the account for good', async () => {
    const made = await as('proxied-eve', '/settings/token', {
      ...{ method: 'POST', headers: sameOrigin },
      body: new URLSearchParams({ keep_old: '' }),
    })
    expect(made.status).toBe(303)
    const body = new URLSearchParams({ username: 'proxied-eve' })
    const deleted = await as('proxied-eve', '/settings/delete', { method: 'POST', headers: sameOrigin, body })
    expect([deleted.status, deleted.headers.get('location')]).toEqual([303, '/'])
    const again = await as('proxied-eve', '/settings')
    expect(again.status).toBe(403)
    expect(await heading(again)).toContain('was deleted')
  })
})

test('there is nothing to sign in with, and no session counts', async () => {
  for (const path of ['/sign-in', '/sign-up', '/password?link=x']) {
    expect([path, (await as('augusta', path)).status]).toEqual([path, 404])
  }
  for (const path of ['/sign-in', '/sign-out', '/settings/password', '/settings/sessions/end']) {
    const sent = await as('augusta', path, { method: 'POST', headers: sameOrigin })
    expect([path, sent.status === 404 || sent.status === 405]).toEqual([path, true])
  }
  expect((await service.fetch('/settings', { headers: { Cookie: ada.cookie } })).status).toBe(403)
})

test('a form from another site is refused, although the proxy names a user', async () => {
  const body = new URLSearchParams({ name: 'Changed' })
  for (const headers of [{}, { 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }]) {
    expect((await as('augusta', '/settings/profile', { method: 'POST', headers, body })).status).toBe(403)
  }
  expect(await accounts('augusta')).toEqual([{ name: 'Ada Lovelace' }])
  const ours = await as('augusta', '/settings/profile', { method: 'POST', headers: sameOrigin, body })
  expect(ours.status).toBe(303)
})

test('tokens work as ever, and the header gives none of their rights', async () => {
  const headers = { Authorization: `Bearer ${ada.token}` }
  const announced = await service.fetch('/api', {
    method: 'POST',
    headers,
    body: new URLSearchParams({ message: 'a' }),
  })
  expect(announced.status).toBe(201)
  expect(
    (await as('augusta', '/api', { method: 'POST', body: new URLSearchParams({ message: 'a' }) })).status,
  ).toBe(401)
})

test('in a house of members, those whom no proxy names are turned away', async () => {
  const page = await closed.fetch('/augusta')
  expect(page.status).toBe(403)
  expect(await page.text()).toBe(await (await closed.fetch('/nobody')).text())
  expect((await closed.fetch('/api/deployments')).status).toBe(401)
  expect((await as('augusta', '/api/deployments', {}, closed)).status).toBe(200)
})

test('in a house of members, pages of other origins read only what a key opens', async () => {
  const key = readKeyFrom(crypto.getRandomValues(new Uint8Array(32)))
  await query(
    service.db,
    sql`insert into read_keys (user_id, hash, last_four) select id, ${hashSecret(key)}, 'last' from users where username = 'augusta'`,
  )
  const readable = async (path: string) => {
    const { status, headers } = await as('augusta', path, {}, closed)
    return [status, headers.get('access-control-allow-origin')]
  }
  for (const path of ['/api/deployments', '/badge/augusta.json', '/augusta/feed.json']) {
    expect(await readable(path)).toEqual([200, null])
    expect(await readable(`${path}?key=${key}`)).toEqual([200, '*'])
  }
  for (const path of ['/api/deployments/1', '/badge/nobody.json', '/api/deployments?limit=0'])
    expect((await readable(path))[1]).toBeNull()
})

test('the header of anybody else is ignored, and logged once a minute', async () => {
  await using service = await startService({ ...proxied, TRUSTED_PROXIES: '10.0.0.1' })
  for (const forwarded of ['10.0.0.1', '127.0.0.1', '203.0.113.7']) {
    const headers = { 'X-Forwarded-For': forwarded }
    expect((await as('augusta', '/settings', { headers }, service)).status).toBe(403)
  }
  expect(await (await as('mallory', '/', {}, service)).text()).not.toContain('Your profile')
  expect(await accounts('mallory')).toEqual([])
  const ignored = service.logged
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'user_header_ignored')
  expect(ignored).toHaveLength(1)
  expect(ignored[0].message).toContain('remote-user')
})

test('without the setting, the header means nothing', async () => {
  expect((await as('augusta', '/settings', {}, plain)).status).toBe(303)
})
