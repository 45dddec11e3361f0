import { describe, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { query } from '../../support/database.ts'
import { sendForm } from '../../support/forms.ts'
import { textOf } from '../../support/markup.ts'
import { cookieOf, type Person, password, rollToken, signIn, signUp } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService()

function secretOf({ cookie }: Pick<Person, 'cookie'>): string {
  return cookie.slice(cookie.indexOf('=') + 1)
}

async function isSignedIn(person: Person): Promise<boolean> {
  return (await person.get('/settings')).status === 200
}

/** The attributes of the cookie that a new account's answer sets, in order of name. */
async function cookieAttributes(baseUrl: string, username: string): Promise<readonly string[]> {
  await using other = await startService({ BASE_URL: baseUrl })
  const response = await sendForm(other, '/sign-up', { username, name: 'Cookie', password })
  expect(response.status).toBe(303)
  return (response.headers.getSetCookie()[0] ?? '').split('; ').sort()
}

describe('the cookie', () => {
  test('with http is HttpOnly, Lax, for every path, and lives 30 days', async () => {
    const attributes = await cookieAttributes('http://localhost:3000', 'session-http')
    expect(attributes).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
      expect.stringMatching(/^session=[\w-]{43}$/),
    ])
  })

  test('with https is Secure too, and held to this host by its name', async () => {
    const attributes = await cookieAttributes('https://ship.example', 'session-https')
    expect(attributes).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
      'Secure',
      expect.stringMatching(/^__Host-session=[\w-]{43}$/),
    ])
  })

  test('with https the plain name is not read', async () => {
    const person = await signUp(service)
    await using secure = await startService({ BASE_URL: 'https://ship.example' })
    const statusWith = async (cookie: string) =>
      (await secure.fetch('/settings', { headers: { Cookie: cookie } })).status
    expect(await statusWith(person.cookie)).toBe(303)
    expect(await statusWith(`__Host-${person.cookie}`)).toBe(200)
  })

  test.each([
    'session',
    'session=',
    'session={"a":1}',
    'session=["a"]',
    'session=null',
    'session=%zz',
    'session=%',
    'session=%00',
    'session=%E0%A4%A',
    'session=__proto__',
    '__proto__=x; constructor=y',
    'session="quoted"',
    'session=a; session=b; session=c',
    '=;=;;;,=',
    `session=${'x'.repeat(8_000)}`,
    `session=${'-'.repeat(43)}`,
    `new-token={"a":1}; session=%`,
  ])('%p is no session and no error', async (cookie) => {
    const response = await service.fetch('/settings', { headers: { Cookie: cookie } })
    expect(response.status).toBe(303)
    expect((await service.fetch('/', { headers: { Cookie: cookie } })).status).toBe(200)
  })
})

describe('secrets', () => {
  test('of passwords, sessions and tokens only hashes are stored', async () => {
    const person = await signUp(service)
    const again = await signIn(service, person)
    const secrets = [
      password,
      secretOf(person),
      secretOf(again),
      person.device.split('=')[1] ?? '',
      await rollToken(person),
      await rollToken(again, { keep_old: '24h' }),
    ]
    const tables = ['users', 'sessions', 'devices', 'tokens', 'attempts', 'deployments', 'latest_deployments']
    for (const table of tables) {
      const rows = await query(service.db, sql`select row_to_json(t) as row from ${sql.identifier(table)} t`)
      const dump = JSON.stringify(rows)
      expect(dump).not.toBeEmpty()
      for (const secret of secrets) expect(dump.includes(secret)).toBeFalse()
    }
    const [user] = await query<{ password_hash: string }>(
      service.db,
      sql`select password_hash from users where username = ${person.username}`,
    )
    expect(user?.password_hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
  })

  test('a stored hash is no key', async () => {
    const person = await signUp(service)
    const token = await rollToken(person)
    const session = await service.fetch('/settings', {
      headers: { Cookie: `session=${hashSecret(secretOf(person))}` },
    })
    expect(session.status).toBe(303)
    const Authorization = `Bearer ${hashSecret(token)}`
    expect((await service.fetch('/api', { method: 'POST', headers: { Authorization } })).status).toBe(401)
  })
})

describe('signing in', () => {
  test('gives a new secret each time, and never one that the browser came with', async () => {
    const person = await signUp(service)
    const planted = 'A'.repeat(43)
    const fields = { username: person.username, password }
    const response = await sendForm(service, '/sign-in', fields, { Cookie: `session=${planted}` })
    expect(response.status).toBe(303)
    const cookie = cookieOf(response)
    expect(cookie).not.toContain(planted)
    expect(cookie).not.toBe(person.cookie)
  })

  test('ends the session that the browser had, and no other', async () => {
    const person = await signUp(service)
    const elsewhere = await signIn(service, person)
    const response = await person.send('/sign-in', { username: person.username, password })
    expect(response.status).toBe(303)
    expect(await isSignedIn(person)).toBeFalse()
    expect(await isSignedIn(elsewhere)).toBeTrue()
  })
})

test.each([
  [98, true],
  [99, false],
])(
  'beyond 100 sessions and devices the oldest goes: with %d between the first and the last, the first stays: %p',
  async (between, stays) => {
    const person = await signUp(service)
    const owner = sql`select id from users where username = ${person.username}`
    await query(
      service.db,
      sql`with made as (select (${owner}) as user_id, 'made-' || gen_random_uuid() as hash from generate_series(1, ${between}))
      , known as (insert into devices (user_id, hash) select user_id, hash from made)
      insert into sessions (user_id, hash, device) select user_id, hash, '' from made`,
    )
    await signIn(service, person)
    expect(await isSignedIn(person)).toBe(stays)
    const devices = await query<{ hash: string }>(
      service.db,
      sql`select hash from devices where user_id = (${owner})`,
    )
    expect(devices.length).toBe(Math.min(100, between + 2))
    expect(devices.some(({ hash }) => hash === hashSecret(person.device.split('=')[1] ?? ''))).toBe(stays)
  },
)

describe('a session is over', () => {
  async function age(person: Person, change: SQL): Promise<void> {
    await query(service.db, sql`update sessions set ${change} where hash = ${hashSecret(secretOf(person))}`)
  }

  test.each([
    ['13 days 23 hours 59 minutes', true],
    ['14 days 1 second', false],
  ])('14 days after it was last seen: at %s it is %p', async (idle, alive) => {
    const person = await signUp(service)
    await age(person, sql`created_at = now() - interval '20 days', last_seen_at = now() - ${idle}::interval`)
    expect(await isSignedIn(person)).toBe(alive)
  })

  test.each([
    ['29 days 23 hours 59 minutes', true],
    ['30 days 1 second', false],
  ])('30 days after it began, however often it was seen: at %s it is %p', async (old, alive) => {
    const person = await signUp(service)
    await age(person, sql`created_at = now() - ${old}::interval, last_seen_at = now()`)
    expect(await isSignedIn(person)).toBe(alive)
  })

  test('a visit counts as seen', async () => {
    const person = await signUp(service)
    await age(person, sql`last_seen_at = now() - interval '13 days'`)
    expect(await isSignedIn(person)).toBeTrue()
    await age(person, sql`last_seen_at = last_seen_at - interval '13 days'`)
    expect(await isSignedIn(person)).toBeTrue()
  })
})

describe('POST /settings/sessions/end', () => {
  test('ends every other session and keeps this one', async () => {
    const person = await signUp(service)
    const others = [await signIn(service, person), await signIn(service, person)]
    const stranger = await signUp(service)
    const response = await person.send('/settings/sessions/end', {})
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/settings?done=sessions')
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false])
    expect(await isSignedIn(person)).toBeTrue()
    expect(await isSignedIn(stranger)).toBeTrue()
  })

  test('the page lists each session by its device, marks this one, and escapes what a browser says', async () => {
    const person = await signUp(service)
    const fields = { username: person.username, password }
    const hostile = '<script>x</script> Mozilla/5.0 (X11; Linux) Firefox/130.0'
    await sendForm(service, '/sign-in', fields, { 'User-Agent': hostile })
    const page = await (await person.get('/settings')).text()
    expect(page).not.toContain('<script>x')
    expect(textOf(page, '#sessions bdi')).toContain('Firefox on Linux')
    expect(textOf(page, '#sessions strong')).toBe('this one')
  })
})
