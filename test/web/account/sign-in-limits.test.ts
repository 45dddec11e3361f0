import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { query } from '../../support/database.ts'
import { sendForm } from '../../support/forms.ts'
import { behindProxy, fromNewAddress, password, signUp } from '../../support/people.ts'
import { type Service, startService, useService } from '../../support/service.ts'

const service = await useService(behindProxy)

type From = Record<string, string>

async function statusOf(username: string, typed: string, from: From): Promise<number> {
  return (await sendForm(service, '/sign-in', { username, password: typed }, from)).status
}

/** Makes every attempt of a subject so much older. */
async function age(subject: string, interval: string): Promise<void> {
  await query(
    service.db,
    sql`update attempts set attempted_at = attempted_at - ${interval}::interval where subject = ${subject}`,
  )
}

function repeat(times: number, status: number): number[] {
  return Array(times).fill(status)
}

describe('wrong passwords of one account', () => {
  test('the 20th of a day is looked at; then even the right one is 429, from everywhere', async () => {
    const { username } = await signUp(service)
    const answers = []
    for (let n = 0; n < 20; n += 1) answers.push(await statusOf(username, 'wrong words', fromNewAddress()))
    expect(answers).toEqual(repeat(20, 422))
    const fields = { username: username.toUpperCase(), password }
    const refused = await sendForm(service, '/sign-in', fields, fromNewAddress())
    expect(refused.status).toBe(429)
    expect(refused.headers.getSetCookie()).toEqual([])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(86_000)
    expect(seconds).toBeLessThanOrEqual(86_400)
    expect(await refused.text()).toContain('Too many wrong attempts')

    await age(username, '23 hours 59 minutes')
    expect(await statusOf(username, password, fromNewAddress())).toBe(429)
    await age(username, '1 minute')
    expect(await statusOf(username, password, fromNewAddress())).toBe(303)
  })

  test('the right one does not count, and those before it stay counted', async () => {
    const { username } = await signUp(service)
    for (let n = 0; n < 19; n += 1) await statusOf(username, 'wrong words', fromNewAddress())
    for (let n = 0; n < 5; n += 1) expect(await statusOf(username, password, fromNewAddress())).toBe(303)
    expect(await statusOf(username, 'wrong words', fromNewAddress())).toBe(422)
    expect(await statusOf(username, password, fromNewAddress())).toBe(429)
  })

  test('of 30 at once, no more than 20 are looked at', async () => {
    const { username } = await signUp(service)
    const statuses = await Promise.all(
      Array.from({ length: 30 }, () => statusOf(username, 'wrong words', fromNewAddress())),
    )
    expect(statuses.sort()).toEqual([...repeat(20, 422), ...repeat(10, 429)])
  })

  test('an account that does not exist is throttled like one that does', async () => {
    for (let n = 0; n < 20; n += 1) await statusOf('limits-nobody', 'wrong words', fromNewAddress())
    expect(await statusOf('limits-nobody', password, fromNewAddress())).toBe(429)
  })

  test('what cannot be a username is nobody: it throttles no one else who mistypes', async () => {
    for (let n = 0; n < 21; n += 1) await statusOf('not a name', 'wrong words', fromNewAddress())
    expect(await statusOf('no name either', 'wrong words', fromNewAddress())).toBe(422)
  })
})

describe('wrong passwords from one address', () => {
  let count = 0

  /** Makes 20 wrong attempts at accounts that nobody else guesses at. */
  async function spend(from: (n: number) => From): Promise<void> {
    for (let n = 0; n < 20; n += 1) {
      count += 1
      expect(await statusOf(`limits-guess-${count}`, 'wrong words', from(n))).toBe(422)
    }
  }

  test('the 21st in an hour is 429, whatever the account; another address is not affected', async () => {
    const { username } = await signUp(service)
    const from = fromNewAddress()
    await spend(() => from)
    expect(await statusOf(username, password, from)).toBe(429)
    expect(await statusOf(username, password, fromNewAddress())).toBe(303)

    await age(from['X-Forwarded-For'] ?? '', '59 minutes')
    expect(await statusOf(username, password, from)).toBe(429)
    await age(from['X-Forwarded-For'] ?? '', '1 minute')
    expect(await statusOf(username, password, from)).toBe(303)
  })

  test('a refused attempt does not count for the account that it named', async () => {
    const { username } = await signUp(service)
    const from = fromNewAddress()
    await spend(() => from)
    for (let n = 0; n < 25; n += 1) expect(await statusOf(username, 'wrong words', from)).toBe(429)
    expect(await statusOf(username, password, fromNewAddress())).toBe(303)
  })

  test('entries that a client writes to the left of its own address change nothing', async () => {
    const { username } = await signUp(service)
    const own = fromNewAddress()['X-Forwarded-For']
    await spend((n) => ({ 'X-Forwarded-For': `203.0.113.${n}, ${own}` }))
    expect(await statusOf(username, password, { 'X-Forwarded-For': `198.51.100.1, ${own}` })).toBe(429)
  })

  test('addresses of one IPv6 /64 are one; the next /64 is another', async () => {
    const { username } = await signUp(service)
    await spend((n) => ({ 'X-Forwarded-For': `2001:db8:7:1::${n.toString(16)}` }))
    expect(await statusOf(username, password, { 'X-Forwarded-For': '2001:0db8:7:1:ffff::1' })).toBe(429)
    expect(await statusOf(username, password, { 'X-Forwarded-For': '2001:db8:7:2::1' })).toBe(303)
  })
})

describe('without TRUSTED_PROXIES', () => {
  let open: Service
  const clear = () => query(service.db, sql`delete from attempts where subject = '127.0.0.1'`)
  beforeAll(async () => {
    open = await startService()
  })
  beforeEach(clear)
  afterAll(async () => {
    await clear()
    await open.close()
  })

  test('X-Forwarded-For is ignored', async () => {
    const { username } = await signUp(open)
    for (let n = 0; n < 20; n += 1) {
      const fields = { username: `limits-open-${n}`, password: 'wrong words' }
      expect((await sendForm(open, '/sign-in', fields, fromNewAddress())).status).toBe(422)
    }
    expect((await sendForm(open, '/sign-in', { username, password }, fromNewAddress())).status).toBe(429)
  })
})
