import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { expectUnauthorized, form, post } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { passMidnight } from '../../support/eventually.ts'
import { addToken, rollToken, signUp, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

const ask = (token: string | null, method = 'GET') =>
  service.fetch('/api/token', {
    method,
    headers: token === null ? {} : { Authorization: `Bearer ${token}` },
  })

/** A day by its distance from today, in UTC. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Moves the end of a token, by the clock of the database. */
const endIn = (token: string, interval: string) =>
  query(
    service.db,
    sql`update tokens set expires_at = now() + ${interval}::interval
      where last_four = ${token.slice(-4)} and expires_at is not null`,
  )

describe('GET /api/token', () => {
  test('says what the token may, and is not a use of it', async () => {
    const ada = await signUpPoster(service)
    const everything = {
      name: 'default',
      may: ['announce', 'history', 'withdraw', 'read'],
      targets: [],
      environments: [],
      expires_at: null,
    }
    const answer = await ask(ada.token)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(await answer.json()).toEqual(everything)
    await passMidnight()
    const { token } = await addToken(ada, {
      ...{ name: 'engine', withdraw: 'on', ends: dayIn(3) },
      ...{ targets: 'github.com/ada/engine', environments: 'QA' },
    })
    expect(await (await ask(token)).json()).toEqual({
      name: 'engine',
      may: ['announce', 'withdraw'],
      targets: ['github.com/ada/engine'],
      environments: ['qa'],
      expires_at: `${dayIn(4)}T00:00:00Z`,
    })
    expect((await ask(token, 'HEAD')).status).toBe(200)
    expect(await (await ada.get('/settings/tokens')).text()).not.toContain('last used')
  })

  test('of a token of a publisher says that it may announce', async () => {
    const { token, username } = await signUpPoster(service)
    await query(
      service.db,
      sql`
        with added as (
          insert into publishers (user_id, issuer, repository)
          select id, 'https://issuer.example', 'ada/engine' from users where username = ${username} returning *
        )
        update tokens set publisher_id = added.id, expires_at = '2100-01-01T00:00:00Z'
        from added where tokens.user_id = added.user_id`,
    )
    expect(await (await ask(token)).json()).toEqual({
      ...{ name: null, may: ['announce'], targets: [], environments: [] },
      expires_at: '2100-01-01T00:00:00Z',
    })
    const announced = await post(service, token, form({ message: 'm' }))
    expect([announced.status, announced.headers.has('shipfeed-token-expires')]).toEqual([201, false])
  })

  test('is 401 without a token that works', async () => {
    const ada = await signUp(service)
    const old = await rollToken(ada)
    await rollToken(ada)
    for (const token of [null, old, old.replace(/.$/, '-'), 'x']) await expectUnauthorized(await ask(token))
    const { token } = await addToken(ada, { name: 'ci', ends: dayIn(3) })
    await endIn(token, '-1 second')
    await expectUnauthorized(await ask(token))
  })
})

describe('Shipfeed-Token-Expires', () => {
  test('says at each success when the token ends, and in how many whole days', async () => {
    const ada = await signUp(service)
    await passMidnight()
    const { token } = await addToken(ada, { name: 'ci', ends: dayIn(20) })
    const announce = (key: string, message = 'm') =>
      post(service, token, form({ message }), { 'Idempotency-Key': key })
    const first = (await announce('a')).headers.get('shipfeed-token-expires')
    expect(first).toBe(`"${dayIn(21)}T00:00:00Z";days=20`)
    for (const [interval, days] of [
      ['14 days 30 seconds', 14],
      ['14 days -30 seconds', 13],
      ['30 seconds', 0],
    ] as const) {
      await endIn(token, interval)
      for (const key of ['a', `new-${days}`]) {
        const answer = await announce(key)
        expect(answer.headers.get('shipfeed-token-expires')).toMatch(new RegExp(`^"[^"]{20}";days=${days}$`))
      }
    }
    const refused = await announce('a', 'another')
    expect([refused.status, refused.headers.has('shipfeed-token-expires')]).toEqual([422, false])
    // Recorded together, in one statement.
    const together = await Promise.all(
      Array.from({ length: 12 }, () => post(service, token, form({ message: 'm' }))),
    )
    for (const { headers } of together) expect(headers.get('shipfeed-token-expires')).toEndWith(';days=0')
  })

  test('is there for a token that was rolled and kept, and for none without an end', async () => {
    const ada = await signUp(service)
    const old = await rollToken(ada)
    const token = await rollToken(ada, { keep_old: '24h' })
    const said = async (one: string) =>
      (await post(service, one, form({ message: 'm' }))).headers.get('shipfeed-token-expires')
    expect(await said(old)).toEndWith(';days=0')
    expect(await said(token)).toBeNull()
  })
})
