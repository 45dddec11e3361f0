import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { query, runBy } from '../../support/database.ts'
import { sendForm } from '../../support/forms.ts'
import { age, spend, withRealPasswords } from '../../support/passwords.ts'
import { behindProxy, fromNewAddress, type Person, password, signIn, signUp } from '../../support/people.ts'
import { type Service, startService, useService } from '../../support/service.ts'

const service = await useService(behindProxy)

type From = Record<string, string>

async function statusOf(username: string, typed: string, from: From): Promise<number> {
  return (await sendForm(service, '/sign-in', { username, password: typed }, from)).status
}

/** Guesses wrong this many times, and gives the statuses. */
async function guess(times: number, username: string, from: () => From): Promise<number[]> {
  const statuses = []
  for (let n = 0; n < times; n += 1) statuses.push(await statusOf(username, 'wrong words', from()))
  return statuses
}

function repeat(times: number, status: number): number[] {
  return Array(times).fill(status)
}

describe('wrong passwords of one account from one address', () => {
  test('the 10th in an hour is looked at; then even the right one is 429, from there and not from elsewhere', async () => {
    const { username } = await signUp(service)
    const from = fromNewAddress()
    expect(await guess(10, username, () => from)).toEqual(repeat(10, 422))
    const refused = await sendForm(service, '/sign-in', { username: username.toUpperCase(), password }, from)
    expect(refused.status).toBe(429)
    expect(refused.headers.getSetCookie()).toEqual([])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(3_500)
    expect(seconds).toBeLessThanOrEqual(3_600)
    expect(await refused.text()).toContain('Too many wrong attempts')
    expect(await statusOf(username, password, fromNewAddress())).toBe(303)

    await age(service.db, `${username} ${from['X-Forwarded-For']}`, '59 minutes')
    expect(await statusOf(username, password, from)).toBe(429)
    await age(service.db, `${username} ${from['X-Forwarded-For']}`, '1 minute')
    expect(await statusOf(username, password, from)).toBe(303)
  })

  test('right ones do not count, and the wrong ones before them stay counted', async () => {
    const { username } = await signUp(service)
    const from = fromNewAddress()
    await guess(9, username, () => from)
    for (let n = 0; n < 5; n += 1) expect(await statusOf(username, password, from)).toBe(303)
    expect(await statusOf(username, 'wrong words', from)).toBe(422)
    expect(await statusOf(username, password, from)).toBe(429)
  })

  test('of 30 at once, exactly 10 are answered as wrong', async () => {
    const { username } = await signUp(service)
    const from = fromNewAddress()
    const statuses = await Promise.all(
      Array.from({ length: 30 }, () => statusOf(username, 'wrong words', from)),
    )
    expect(statuses.sort()).toEqual([...repeat(10, 422), ...repeat(20, 429)])
  })

  test('an account that does not exist is throttled like one that does', async () => {
    const from = fromNewAddress()
    await guess(10, 'limits-nobody', () => from)
    expect(await statusOf('limits-nobody', password, from)).toBe(429)
  })
})

describe('wrong passwords of one account from anywhere', () => {
  /** An address of a network of its own, or another one of that network. */
  let networks = 0
  const fromNewNetwork = () => inNetwork(++networks, 1)
  const inNetwork = (network: number, host: number) => ({ 'X-Forwarded-For': `172.16.${network}.${host}` })

  test('after 100 in a day, a network that has sent 3 of them is 429, even with the right one, and another is not', async () => {
    const { username } = await signUp(service)
    await spend(service.db, 'account', username, 97)
    networks += 1
    const network = networks
    expect(await guess(3, username, () => inNetwork(network, 1))).toEqual(repeat(3, 422))
    const refused = await sendForm(service, '/sign-in', { username, password }, inNetwork(network, 2))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect(await statusOf(username, password, fromNewNetwork())).toBe(303)

    networks += 1
    expect(await guess(4, username, () => inNetwork(networks, 1))).toEqual([...repeat(3, 422), 429])
    expect(await statusOf(username, password, inNetwork(networks, 2))).toBe(429)
    expect(await statusOf(username, password, fromNewNetwork())).toBe(303)

    const aged = [username, `${username} 172.16.${network}.0/24`]
    for (const subject of aged) await age(service.db, subject, '23 hours 59 minutes')
    expect(await statusOf(username, password, inNetwork(network, 2))).toBe(429)
    for (const subject of aged) await age(service.db, subject, '1 minute')
    expect(await statusOf(username, password, inNetwork(network, 2))).toBe(303)
  })

  test('10 addresses in separate networks lock no one out, and have 100 guesses a day', async () => {
    const { username } = await signUp(service)
    const guessers = Array.from({ length: 10 }, fromNewNetwork)
    const statuses = []
    for (let hour = 0; hour < 3; hour += 1) {
      for (const from of guessers) {
        statuses.push(...(await guess(11, username, () => from)))
        const [address = ''] = Object.values(from)
        for (const subject of [address, `${username} ${address}`]) await age(service.db, subject, '1 hour')
      }
    }
    expect(statuses.filter((status) => status === 422).length).toBe(100)
    expect(await statusOf(username, password, fromNewNetwork())).toBe(303)
  })

  test('the 1,000th in a day is looked at, and no other, wherever it comes from', async () => {
    const { username } = await signUp(service)
    await spend(service.db, 'account', username, 999)
    expect(await statusOf(username, 'wrong words', fromNewNetwork())).toBe(422)
    expect(await statusOf(username, password, fromNewNetwork())).toBe(429)
  })

  test('of 30 at once from a new network, beyond 100, exactly 3 are answered as wrong', async () => {
    const { username } = await signUp(service)
    await spend(service.db, 'account', username, 100)
    const from = fromNewNetwork()
    const statuses = await Promise.all(
      Array.from({ length: 30 }, () => statusOf(username, 'wrong words', from)),
    )
    expect(statuses.sort()).toEqual([...repeat(3, 422), ...repeat(27, 429)])
  })

  test('those of a clock that was ahead do not count', async () => {
    const { username } = await signUp(service)
    const from = fromNewNetwork()
    await guess(10, username, () => from)
    const address = from['X-Forwarded-For']
    for (const subject of [address, `${username} ${address}`]) await age(service.db, subject, '-2 days')
    expect(await guess(11, username, () => from)).toEqual([...repeat(10, 422), 429])
  })

  test('an invalid username belongs to no one and throttles no one else', async () => {
    await spend(service.db, 'account', '', 100)
    expect(await statusOf('not a name', 'wrong words', fromNewAddress())).toBe(422)
  })
})

describe('wrong passwords from one address', () => {
  let count = 0

  /** Makes 20 wrong attempts at accounts that nobody else guesses at. */
  async function spendAddress(from: (n: number) => From): Promise<void> {
    for (let n = 0; n < 20; n += 1) {
      count += 1
      expect(await statusOf(`limits-guess-${count}`, 'wrong words', from(n))).toBe(422)
    }
  }

  test('the 21st in an hour is 429, whatever the account; another address is not affected', async () => {
    const { username } = await signUp(service)
    const from = fromNewAddress()
    await spendAddress(() => from)
    expect(await statusOf(username, password, from)).toBe(429)
    expect(await statusOf(username, password, fromNewAddress())).toBe(303)

    await age(service.db, from['X-Forwarded-For'] ?? '', '59 minutes')
    expect(await statusOf(username, password, from)).toBe(429)
    await age(service.db, from['X-Forwarded-For'] ?? '', '1 minute')
    expect(await statusOf(username, password, from)).toBe(303)
  })

  test('a refused attempt does not count for the account that it named', async () => {
    const { username } = await signUp(service)
    const from = fromNewAddress()
    await spendAddress(() => from)
    expect(await guess(105, username, () => from)).toEqual(repeat(105, 429))
    expect(await statusOf(username, password, fromNewAddress())).toBe(303)
  })

  test('30 people behind it who sign in correctly at the same time all get in', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => signUp(service)))
    const from = fromNewAddress()
    const statuses = await Promise.all(people.map(({ username }) => statusOf(username, password, from)))
    expect(statuses).toEqual(repeat(30, 303))
  })

  test('entries that a client writes to the left of its own address change nothing', async () => {
    const { username } = await signUp(service)
    const own = fromNewAddress()['X-Forwarded-For']
    await spendAddress((n) => ({ 'X-Forwarded-For': `203.0.113.${n}, ${own}` }))
    expect(await statusOf(username, password, { 'X-Forwarded-For': `198.51.100.1, ${own}` })).toBe(429)
  })

  test('addresses of one IPv6 /64 are one; the next /64 is another', async () => {
    const { username } = await signUp(service)
    await spendAddress((n) => ({ 'X-Forwarded-For': `2001:db8:7:1::${n.toString(16)}` }))
    expect(await statusOf(username, password, { 'X-Forwarded-For': '2001:0db8:7:1:ffff::1' })).toBe(429)
    expect(await statusOf(username, password, { 'X-Forwarded-For': '2001:db8:7:2::1' })).toBe(303)
  })
})

describe('a browser in which the account has signed in before', () => {
  /** Signs in with a browser, out again, and gives its cookie. */
  async function deviceOf(person: Person): Promise<From> {
    const browser = await signIn(service, person)
    await browser.send('/sign-out', {})
    return { Cookie: browser.device }
  }

  test('gets in whatever strangers guess, and from an address that has no attempts left', async () => {
    const person = await signUp(service)
    const device = await deviceOf(person)
    await spend(service.db, 'account', person.username, 1_000)
    const from = fromNewAddress()
    await spend(service.db, 'address', from['X-Forwarded-For'] ?? '', 20)
    expect(await statusOf(person.username, password, from)).toBe(429)
    expect(await statusOf(person.username, password, { ...from, ...device })).toBe(303)
  })

  test('is counted by itself: 10 wrong ones an hour', async () => {
    const person = await signUp(service)
    const device = await deviceOf(person)
    expect(await guess(11, person.username, () => ({ ...fromNewAddress(), ...device }))).toEqual([
      ...repeat(10, 422),
      429,
    ])
    expect(await statusOf(person.username, password, { ...fromNewAddress(), ...device })).toBe(429)
    expect(await statusOf(person.username, password, fromNewAddress())).toBe(303)
  })

  test('is known for this account alone, and for each account that has signed in there', async () => {
    const [ada, grace] = [await signUp(service), await signUp(service)]
    const device = await deviceOf(ada)
    await spend(service.db, 'account', grace.username, 1_000)
    expect(await statusOf(grace.username, password, { ...fromNewAddress(), ...device })).toBe(429)

    const linus = await signUp(service)
    const fields = { username: linus.username, password }
    expect((await sendForm(service, '/sign-in', fields, device)).headers.getSetCookie()[1]).toStartWith(
      device.Cookie ?? '',
    )
    for (const { username } of [ada, linus]) {
      await spend(service.db, 'account', username, 1_000)
      expect(await statusOf(username, password, { ...fromNewAddress(), ...device })).toBe(303)
    }
  })

  test('is forgotten with a new password, and after a year', async () => {
    const person = await signUp(service)
    const device = await deviceOf(person)
    await spend(service.db, 'account', person.username, 1_000)
    await query(service.db, sql`update devices set signed_in_at = now() - interval '364 days 23 hours'`)
    expect(await statusOf(person.username, password, { ...fromNewAddress(), ...device })).toBe(303)
    await query(service.db, sql`update devices set signed_in_at = now() - interval '365 days'`)
    expect(await statusOf(person.username, password, { ...fromNewAddress(), ...device })).toBe(429)

    await query(service.db, sql`update devices set signed_in_at = now()`)
    const changed = { current_password: password, new_password: 'a brand new passphrase' }
    expect((await person.send('/settings/password', changed)).status).toBe(303)
    const answer = await statusOf(person.username, changed.new_password, { ...fromNewAddress(), ...device })
    expect(answer).toBe(429)
  })
})

test('of 200 at once, 60 wait for their turn and the others are refused immediately; later ones succeed', async () => {
  const answers = await withRealPasswords(() =>
    Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        sendForm(service, '/sign-in', { username: `limits-crowd-${n}`, password }, fromNewAddress()),
      ),
    ),
  )
  const busy = answers.filter(({ status }) => status === 503)
  expect(answers.filter(({ status }) => status === 422).length).toBe(200 - busy.length)
  expect(busy.length).toBeGreaterThan(0)
  expect(busy[0]?.headers.get('retry-after')).toBe('2')
  expect(await busy[0]?.text()).toContain('Too many requests for this')
  const { username } = await signUp(service)
  expect(await statusOf(username, password, fromNewAddress())).toBe(303)
})

test('a sign-in takes two round trips to the database', async () => {
  const { username } = await signUp(service)
  let trips = 0
  const count: typeof service.db.write = (work) => {
    trips += 1
    return service.db.write(work)
  }
  await using other = await startService({}, runBy(count, service.db))
  expect((await sendForm(other, '/sign-in', { username, password })).status).toBe(303)
  expect(trips).toBe(2)
})

test('attempts that no longer count are deleted, a few with each new one', async () => {
  await query(service.db, sql`delete from attempts`)
  await guess(3, 'limits-forgotten', fromNewAddress)
  await query(service.db, sql`update attempts set expires_at = now() - interval '1 second'`)
  await guess(1, 'limits-forgotten-2', fromNewAddress)
  const over = await query(service.db, sql`select 1 from attempts where subject ~ 'forgotten( |$)'`)
  expect(over).toEqual([])
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
