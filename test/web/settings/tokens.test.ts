import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { isToken } from '../../../src/domain/account/token.ts'
import { form, post } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { reasonsBeside, sendForm } from '../../support/forms.ts'
import { textOf } from '../../support/markup.ts'
import { cookieOf, type Person, password, rollToken, signIn, signUp } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService()

/** What the API answers to a pipeline that holds this token. */
async function announceWith(token: string): Promise<number> {
  return (await post(service, token, form({ message: 'With a token' }))).status
}

async function tokenPanel(person: Person): Promise<string> {
  const response = await person.get('/settings')
  expect(response.status).toBe(200)
  return textOf(await response.text(), '#token')
}

describe('a new token', () => {
  test('is spelled as docs/decisions.md#accounts says, and works', async () => {
    const token = await rollToken(await signUp(service))
    expect(token).toMatch(/^ship_[0-9A-Za-z]{36}$/)
    expect(isToken(token)).toBeTrue()
    expect(await announceWith(token)).toBe(201)
  })

  test('is shown once: the form redirects, the page shows it, a reload does not', async () => {
    const person = await signUp(service)
    const rolled = await person.send('/settings/token', {})
    expect(rolled.status).toBe(303)
    expect(rolled.headers.get('location')).toBe('/settings#token')
    expect(rolled.headers.getSetCookie().join()).toMatch(
      /^new-token=ship_\w{36}; Path=\/settings; Max-Age=60; HttpOnly; SameSite=Lax$/,
    )
    const shown = await person.get('/settings', { Cookie: `${person.cookie}; ${cookieOf(rolled)}` })
    expect(shown.status).toBe(200)
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect(await shown.text()).toContain(cookieOf(rolled).slice('new-token='.length))
    expect(shown.headers.getSetCookie().join()).toMatch(/^new-token=; Path=\/settings; Max-Age=0;/)
    expect(await (await person.get('/settings')).text()).not.toMatch(/ship_\w{36}/)
  })

  test('with https travels in a Secure cookie', async () => {
    const person = await signUp(service)
    const secure = await startService({ BASE_URL: 'https://ship.example' })
    const response = await secure.fetch('/settings/token', {
      method: 'POST',
      headers: { Cookie: `__Host-${person.cookie}`, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(),
    })
    await secure.close()
    expect(response.status).toBe(303)
    expect(response.headers.getSetCookie().join()).toMatch(/^__Secure-new-token=.*; Secure/)
  })

  test("of somebody else is not shown, nor one that is not this account's current one", async () => {
    const [ada, bob] = [await signUp(service), await signUp(service)]
    await rollToken(ada)
    const foreign = cookieOf(await bob.send('/settings/token', {}))
    const old = cookieOf(await ada.send('/settings/token', {}))
    await rollToken(ada)
    for (const cookie of [foreign, old, 'new-token={"a":1}', 'new-token=<b>', 'new-token=%zz']) {
      const page = await ada.get('/settings', { Cookie: `${ada.cookie}; ${cookie}` })
      expect(page.status).toBe(200)
      expect(await page.text()).not.toMatch(/ship_\w{36}/)
    }
  })
})

describe('the settings page', () => {
  test('before the first token offers to generate one, and not to roll', async () => {
    const panel = await tokenPanel(await signUp(service))
    expect(panel).toContain('Generate token')
    expect(panel).not.toContain('Roll')
  })

  test('shows its last four characters, when it was created and whether it was used', async () => {
    const person = await signUp(service)
    const token = await rollToken(person)
    const unused = await tokenPanel(person)
    expect(unused).toContain(`ship_…${token.slice(-4)}`)
    expect(unused).toMatch(/created just now/)
    expect(unused).toContain('never used')
    expect(unused).toContain('Roll token')

    await announceWith(token)
    expect(await tokenPanel(person)).toMatch(/last used just now/)
    await query(
      service.db,
      sql`update tokens set created_at = now() - interval '3 days', last_used_at = now() - interval '2 hours'
        where last_four = ${token.slice(-4)}`,
    )
    const later = await tokenPanel(person)
    expect(later).toMatch(/created 3 days ago/)
    expect(later).toMatch(/last used 2 hours ago/)
  })
})

describe('rolling', () => {
  test('kills the old token at once', async () => {
    const person = await signUp(service)
    const old = await rollToken(person)
    const token = await rollToken(person)
    expect(await announceWith(old)).toBe(401)
    expect(await announceWith(token)).toBe(201)
    expect(await tokenPanel(person)).not.toContain(`…${old.slice(-4)}`)
  })

  test.each(['', '24', 'true', '25h', '24H', 'never'])('keep_old=%p keeps nothing', async (keep_old) => {
    const person = await signUp(service)
    const old = await rollToken(person)
    await rollToken(person, { keep_old })
    expect(await announceWith(old)).toBe(401)
  })

  test('with keep_old=24h the old token works for 24 hours, and no longer', async () => {
    const person = await signUp(service)
    const old = await rollToken(person)
    const token = await rollToken(person, { keep_old: '24h' })
    expect([await announceWith(old), await announceWith(token)]).toEqual([201, 201])
    const expireIn = (interval: string) =>
      query(
        service.db,
        sql`update tokens set expires_at = expires_at - interval '24 hours' + ${interval}::interval
          where last_four = ${old.slice(-4)} and expires_at is not null`,
      )
    await expireIn('10 seconds')
    expect(await announceWith(old)).toBe(201)
    await expireIn('23 hours 59 minutes 50 seconds')
    expect([await announceWith(old), await announceWith(token)]).toEqual([401, 201])
    expect(await tokenPanel(person)).not.toContain('The old token ship')
  })

  test('the page says whether anything used the old one since', async () => {
    const person = await signUp(service)
    const old = await rollToken(person)
    await announceWith(old)
    await rollToken(person, { keep_old: '24h' })
    const unused = await tokenPanel(person)
    expect(unused).toContain(`The old token ship_…${old.slice(-4)} works until`)
    expect(unused).toContain('Nothing has used it since the roll')
    await announceWith(old)
    const used = await tokenPanel(person)
    expect(used).toContain('Something still uses it: it was last used just now')
  })

  test('twice with keep_old=24h leaves one old token, the last', async () => {
    const person = await signUp(service)
    const first = await rollToken(person)
    const second = await rollToken(person, { keep_old: '24h' })
    const third = await rollToken(person, { keep_old: '24h' })
    expect([await announceWith(first), await announceWith(second), await announceWith(third)]).toEqual([
      401, 201, 201,
    ])
  })

  test('without keep_old ends a kept one too', async () => {
    const person = await signUp(service)
    const first = await rollToken(person)
    const second = await rollToken(person, { keep_old: '24h' })
    await rollToken(person)
    expect([await announceWith(first), await announceWith(second)]).toEqual([401, 401])
  })

  test("touches nobody else's token", async () => {
    const stranger = await rollToken(await signUp(service))
    await rollToken(await signUp(service))
    expect(await announceWith(stranger)).toBe(201)
  })

  test('in 50 browsers at once leaves exactly one token that works', async () => {
    const person = await signUp(service)
    const again = await signIn(service, person)
    await rollToken(person)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? person : again).send('/settings/token', {})),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(303))
    const tokens = answers.map((answer) => cookieOf(answer).slice('new-token='.length))
    expect(new Set(tokens).size).toBe(50)
    const statuses = await Promise.all(tokens.map(announceWith))
    expect(statuses.sort()).toEqual([201, ...Array(49).fill(401)])
  })
})

describe('a user who signed in a while ago', () => {
  async function signedInBefore(interval: string): Promise<Person> {
    const person = await signUp(service)
    const hash = hashSecret(person.cookie.split('=')[1] ?? '')
    await query(
      service.db,
      sql`update sessions set created_at = now() - ${interval}::interval where hash = ${hash}`,
    )
    return person
  }

  test('generates a token for 15 minutes without the password', async () => {
    const person = await signedInBefore('14 minutes 50 seconds')
    expect((await person.send('/settings/token', {})).headers.get('location')).toBe('/settings#token')
  })

  test('then needs it: what is wrong is said in its panel, and nothing is rolled', async () => {
    const person = await signedInBefore('15 minutes')
    for (const fields of [{}, { password: 'not my password' }]) {
      const refused = await person.send('/settings/token', fields)
      expect(refused.status).toBe(422)
      expect(refused.headers.getSetCookie()).toEqual([])
      expect(reasonsBeside(await refused.text(), 'password')).toBe('is not your password')
    }
    const rolled = await person.send('/settings/token', { password })
    expect(rolled.headers.get('location')).toBe('/settings#token')
  })
})

describe('while its account is being deleted', () => {
  /** Deletes an account, and does something when the database has done so and others do not see it yet. */
  async function during(username: string, act: () => Promise<Response>): Promise<Response> {
    const acting = Promise.withResolvers<Response>()
    await service.db.write((queries) =>
      queries.transaction(async (transaction) => {
        // As the deletion begins; the rest follows later.
        await transaction.execute(
          sql`update users set username = '~' || id, password_hash = '' where username = ${username}`,
        )
        acting.resolve(act())
        await Bun.sleep(300)
      }),
    )
    return await acting.promise
  }

  test('a roll is answered as signed out', async () => {
    const person = await signUp(service)
    const answer = await during(person.username, () => person.send('/settings/token', {}))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in'])
  })

  test('a sign-in is answered as signed out', async () => {
    const { username } = await signUp(service)
    const answer = await during(username, () => sendForm(service, '/sign-in', { username, password }))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in'])
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})
