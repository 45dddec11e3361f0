import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hashPassword } from '../../../src/data/account/passwords.ts'
import { query } from '../../support/database.ts'
import { sendForm, valueIn } from '../../support/forms.ts'
import { withRealPasswords } from '../../support/passwords.ts'
import {
  behindProxy,
  cookieOf,
  fromNewAddress,
  type Person,
  password,
  sameOrigin,
  signUp,
} from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService(behindProxy)
const ada = await signUp(service)

function signInAs(fields: Record<string, string>): Promise<Response> {
  return sendForm(service, '/sign-in', fields, fromNewAddress())
}

describe('the right password', () => {
  test('answers 303 to the settings, with a session that works', async () => {
    const response = await signInAs({ username: ada.username, password })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/settings')
    expect((await ada.get('/settings', { Cookie: cookieOf(response) })).status).toBe(200)
  })

  test.each([
    ['in upper case', (name: string) => name.toUpperCase()],
    ['with the space that a phone puts behind it', (name: string) => `${name} `],
  ])('works with the username %s', async (_, spell) => {
    expect((await signInAs({ username: spell(ada.username), password })).status).toBe(303)
  })

  test('is one password however its accents are composed', async () => {
    const account = { username: 'in-accents', name: 'Accents', password: 'de\u0301ja\u0300 vu vu' }
    expect((await sendForm(service, '/sign-up', account, fromNewAddress())).status).toBe(303)
    const { username } = account
    expect((await signInAs({ username, password: 'd\u00e9j\u00e0 vu vu' })).status).toBe(303)
  })

  test('a signed-in user is sent from the form to the settings', async () => {
    const response = await ada.get('/sign-in')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/settings')
  })
})

describe('a wrong sign-in', () => {
  test.each([
    ['a wrong password', { password: `${password}!` }],
    ['another case', { password: password.toUpperCase() }],
    ['a space behind it', { password: `${password} ` }],
    ['no password', { password: '' }],
    ['a password of 60,000 bytes', { password: 'x'.repeat(60_000) }],
    ['an unknown user', { username: 'in-nobody' }],
    ['no username', { username: '' }],
    ['what cannot be a username', { username: 'a b\u0000' }],
  ])('with %s is 422 and opens no session', async (_, fields) => {
    const response = await signInAs({ username: ada.username, password, ...fields })
    expect(response.status).toBe(422)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.text()).toContain('That username and password don’t match.')
  })

  test('gives one answer, byte for byte, whether the user exists or not', async () => {
    const unknown = 'x'.repeat(ada.username.length)
    const wrong = await signInAs({ username: ada.username, password: 'some other words' })
    const nobody = await signInAs({ username: unknown, password: 'some other words' })
    expect([wrong.status, nobody.status]).toEqual([422, 422])
    const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'date')
    expect(headersOf(nobody)).toEqual(headersOf(wrong))
    expect((await nobody.text()).replaceAll(unknown, ada.username)).toBe(await wrong.text())
  })

  test('takes the same time whether the user exists or not', async () => {
    const { username: known } = await signUp(service)
    const times: Record<string, number[]> = { [known]: [], 'in-nobody-either': [] }
    await withRealPasswords(async () => {
      for (let n = 0; n < 15; n += 1) {
        for (const [username, taken] of Object.entries(times)) {
          const start = performance.now()
          const response = await signInAs({ username, password: 'some other words' })
          await response.text()
          taken.push(performance.now() - start)
          expect(response.status).toBe(422)
        }
      }
    })
    const [right = 0, none = 0] = Object.values(times).map((taken) => taken.sort((a, b) => a - b)[7])
    expect(Math.max(right, none) / Math.min(right, none)).toBeLessThan(2)
  })

  test('keeps the typed username, as text, and never the password', async () => {
    const fields = { username: '"><img src=x>&lt;', password: 'my own secret words' }
    const page = await (await signInAs(fields)).text()
    expect(valueIn(page, 'username')).toBe(fields.username)
    expect(valueIn(page, 'password')).toBe('')
    expect(page).not.toContain(fields.password)
    expect(page).not.toContain('<img')
  })
})

describe('where to go after signing in', () => {
  let bob: Person
  beforeAll(async () => {
    bob = await signUp(service)
  })

  test('a page that needs a session sends to the form, which comes back', async () => {
    const refused = await service.fetch('/settings')
    expect(refused.status).toBe(303)
    expect(refused.headers.get('location')).toBe('/sign-in?next=%2Fsettings')
    const page = await (await service.fetch('/sign-in?next=%2Fsettings')).text()
    expect(valueIn(page, 'next')).toBe('/settings')
  })

  test.each(['/', '/settings', '/ada/17', '/docs', '/ada?target=github.com%2Fada&before=9'])(
    '%s is followed',
    async (next) => {
      const response = await signInAs({ username: bob.username, password, next })
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe(next)
    },
  )

  test('keeps its query where a page needs a session', async () => {
    const refused = await service.fetch('/settings?done=profile')
    expect(refused.headers.get('location')).toBe('/sign-in?next=%2Fsettings%3Fdone%3Dprofile')
  })

  test.each([
    ['/', '/'],
    ['/ada?category=feature', '/ada?category=feature'],
    ['/sign-up', undefined],
  ])('is the page that led here where nothing else is said: from %s it is %p', async (before, next) => {
    const Referer = service.url + before
    const page = await service.fetch('/sign-in', { headers: { Referer } })
    expect(valueIn(await page.text(), 'next')).toBe(next)
  })

  test('is not the page of another site that led here', async () => {
    const page = await service.fetch('/sign-in', { headers: { Referer: 'https://evil.example/docs' } })
    expect(valueIn(await page.text(), 'next')).toBeUndefined()
  })

  test.each([
    '/ada/git.sr.ht/~ada/engine',
    '/ada/forge.example/m%C3%BCller/repo',
    '/ada/gitlab.com/ada/@scope/engine',
    '/wall?user=ada&target=github.com/ada/engine',
    '/?q=@ada',
  ])('is every page of ours, such as %s', async (next) => {
    const page = await service.fetch(`/sign-in?${new URLSearchParams({ next })}`)
    expect(valueIn(await page.text(), 'next')).toBe(next)
  })

  test('is followed at once for a signed-in user', async () => {
    const person = await signUp(service)
    const location = async (path: string) => (await person.get(path)).headers.get('location')
    expect(await location('/sign-in?next=%2Fdocs')).toBe('/docs')
    expect(await location('/sign-in')).toBe('/settings')
  })

  test('is kept when the password was wrong at first', async () => {
    const page = await (await signInAs({ username: bob.username, password: 'wrong', next: '/docs' })).text()
    expect(valueIn(page, 'next')).toBe('/docs')
  })

  test.each([
    '',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\evil.example',
    '\\\\evil.example',
    '/foo\\bar',
    'https://evil.example',
    'https:evil.example',
    'HTTP://evil.example',
    'ftp://evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'mailto:a@b.example',
    'evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/%2f/evil.example',
    '/.//evil.example',
    '/docs\r\nSet-Cookie: x=y',
    '@evil.example',
    '/docs\u0000',
    '/sign-out',
    '/sign-in?next=%2Fdocs',
  ])('is never %p', async (next) => {
    const form = await service.fetch(`/sign-in?${new URLSearchParams({ next })}`)
    expect(form.status).toBe(200)
    expect(valueIn(await form.text(), 'next')).toBeUndefined()
    const response = await signInAs({ username: bob.username, password, next })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/settings')
    expect(response.headers.getSetCookie()).toHaveLength(2)
  })
})

test('sign-out ends the session and takes the cookie back', async () => {
  const person = await signUp(service)
  const signedIn = await signInAs({ username: person.username, password })
  const Cookie = cookieOf(signedIn)
  const response = await person.send('/sign-out', {}, { Cookie })
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/')
  expect(response.headers.getSetCookie().join()).toMatch(/^session=; .*Max-Age=0/i)
  expect((await person.get('/settings', { Cookie })).status).toBe(303)
  expect((await person.get('/settings')).status).toBe(200)
})

test('sign-out without a session is no error', async () => {
  expect((await sendForm(service, '/sign-out', {})).status).toBe(303)
})

test('a password is the same however it was typed, up to 1,024 bytes of what is hashed', async () => {
  const { username } = await signUp(service)
  const typed = `tulip-${'e\u0301'.repeat(360)}`
  await query(
    service.db,
    sql`update users set password_hash = ${await hashPassword(typed)} where username = ${username}`,
  )
  expect((await signInAs({ username, password: typed })).status).toBe(303)
  expect((await signInAs({ username, password: typed.normalize('NFC') })).status).toBe(303)
})

test('half a surrogate pair is not taken for the character that replaces it', async () => {
  const { username } = await signUp(service)
  await query(
    service.db,
    sql`update users set password_hash = ${await hashPassword('tulip-boat\ufffd')} where username = ${username}`,
  )
  const tried = (typed: string) =>
    service.fetch('/sign-in', {
      method: 'POST',
      headers: { ...sameOrigin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ username, password: typed }),
    })
  expect((await tried('tulip-boat\ud83d')).status).toBe(422)
  expect((await tried('tulip-boat\ufffd')).status).toBe(303)
})

test('a hash of another cost is renewed when its password is right, and only then', async () => {
  const { username } = await signUp(service)
  const cheap = await Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
  await query(service.db, sql`update users set password_hash = ${cheap} where username = ${username}`)
  const stored = async () =>
    (
      await query<{ password_hash: string }>(
        service.db,
        sql`select password_hash from users where username = ${username}`,
      )
    )[0]?.password_hash
  await signInAs({ username, password: 'not my password' })
  expect(await stored()).toBe(cheap)
  expect((await signInAs({ username, password })).status).toBe(303)
  expect(await stored()).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
  expect((await signInAs({ username, password })).status).toBe(303)
})

test('sign-out clears what the browser stores of us, but stays a known device', async () => {
  const response = await (await signUp(service)).send('/sign-out', {})
  expect(response.headers.get('clear-site-data')).toBe('"storage"')
  expect(response.headers.getSetCookie().join()).not.toContain('device')
})
