import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { expectError } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { eventually, patience } from '../../support/eventually.ts'
import { gitHubClaims } from '../../support/oidc/claims.ts'
import { exchange } from '../../support/oidc/exchange.ts'
import { type LocalIssuer, startIssuer } from '../../support/oidc/issuer.ts'
import { type Person, signUp } from '../../support/people.ts'
import { type Service, startService } from '../../support/service.ts'

/** A service that has not met its issuer yet, and somebody who trusts a pipeline of it. */
async function fresh() {
  const issuer = await startIssuer()
  const service = await startService(issuer.environment)
  const person = await signUp(service)
  const publisher = { issuer: issuer.addressOf('github'), repository: 'ada/engine' }
  await person.send('/settings/publishers', publisher)
  return {
    issuer,
    service,
    person,
    async [Symbol.asyncDispose]() {
      await service.close()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

type Fresh = { issuer: LocalIssuer; service: Service; person: Person }

async function attempt({ issuer, service, person }: Fresh): Promise<Response> {
  return await exchange(service, { jwt: await issuer.sign(gitHubClaims(issuer)), user: person.username })
}

const json = (value: unknown) => new Response(JSON.stringify(value))

// Each has a service and an issuer of its own, and three of them wait.
describe.concurrent('an issuer that gives no keys is 503 with Retry-After, within 2.5 s:', () => {
  const wrongs: readonly (readonly [
    name: string,
    behave: (path: string, origin: string) => Promise<Response> | Response | undefined,
  ])[] = [
    ['silent', () => new Promise<Response>(() => {})],
    ['silent about its keys', (path) => (path === '/keys' ? new Promise<Response>(() => {}) : undefined)],
    [
      'dripping',
      () =>
        new Response(
          new ReadableStream({
            async pull(c) {
              await Bun.sleep(100)
              c.enqueue(new Uint8Array([32]))
            },
          }),
        ),
    ],
    ['failing', () => new Response('', { status: 500 })],
    [
      'redirecting',
      (path, origin) => (path === '/keys' ? undefined : Response.redirect(`${origin}/elsewhere${path}`)),
    ],
    [
      'of 10 MB of keys',
      (path) => (path === '/keys' ? new Response(`{"keys":[${' '.repeat(10_000_000)}]}`) : undefined),
    ],
    [
      'of 10 MB of keys, gzipped',
      (path) => {
        if (path !== '/keys') return undefined
        const body = Bun.gzipSync(`{"keys":[${' '.repeat(10_000_000)}]}`)
        return new Response(body, { headers: { 'Content-Encoding': 'gzip' } })
      },
    ],
    [
      'of another name',
      (path, origin) =>
        path === '/keys' ? undefined : json({ issuer: 'https://token.example', jwks_uri: `${origin}/keys` }),
    ],
    [
      'of no address of keys',
      (path, origin) => (path === '/keys' ? undefined : json({ issuer: `${origin}/_services/token` })),
    ],
    [
      'of keys in a file',
      (path, origin) =>
        path === '/keys'
          ? undefined
          : json({ issuer: `${origin}/_services/token`, jwks_uri: 'file:///etc/passwd' }),
    ],
    [
      'of keys at an address without TLS',
      (path, origin) =>
        path === '/keys'
          ? undefined
          : json({ issuer: `${origin}/_services/token`, jwks_uri: 'http://keys.example/' }),
    ],
    ['of no JSON', () => new Response('<html>')],
    ['of null', () => json(null)],
    ['of keys that are none', (path) => (path === '/keys' ? json({ keys: 'x' }) : undefined)],
  ]

  test.each(wrongs)('%s', async (_, behave) => {
    await using world = await fresh()
    world.issuer.behave((path) => behave(path, new URL(world.issuer.addressOf('github')).origin))
    const begun = performance.now()
    const answer = await attempt(world)
    expect(performance.now() - begun).toBeLessThan(patience(2_500))
    expect(answer.headers.get('retry-after')).toBe('30')
    await expectError(answer, 503, 'unavailable')
    expect(world.service.logged.join()).toContain('"event":"issuer_unreachable"')
    const { requests } = world.issuer
    for (let n = 0; n < 5; n += 1) expect((await attempt(world)).status).toBe(503)
    expect(world.issuer.requests).toBe(requests)
  })

  test('dead', async () => {
    await using world = await fresh()
    const jwt = await world.issuer.sign(gitHubClaims(world.issuer))
    await world.issuer[Symbol.asyncDispose]()
    const answer = await exchange(world.service, { jwt, user: world.person.username })
    await expectError(answer, 503, 'unavailable')
  })
})

test('an issuer that dies later is not needed: the keys in memory serve on', async () => {
  await using world = await fresh()
  expect((await attempt(world)).status).toBe(201)
  await world.issuer[Symbol.asyncDispose]()
  expect((await attempt(world)).status).toBe(201)
})

test('20 tokens at once cause one look at the keys', async () => {
  await using world = await fresh()
  const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(world)))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
  expect(world.issuer.requests).toBe(2)
})

test.each(['RS256', 'ES256'] as const)(
  'an issuer that takes a new key (%s) under load fails nobody',
  async (alg) => {
    await using world = await fresh()
    const statuses: number[] = []
    let isOver = false
    const pipelines = Array.from({ length: 8 }, async () => {
      while (!isOver) statuses.push((await attempt(world)).status)
    })
    const accepted = (from: number) => statuses.slice(from).filter((status) => status === 201).length
    await eventually('each has a token', () => accepted(0) >= pipelines.length)
    await world.issuer.rotate(alg)
    const before = statuses.length
    await eventually('each has one by the new key', () => accepted(before) >= 2 * pipelines.length)
    isOver = true
    await Promise.all(pipelines)
    const since = statuses.slice(before)
    // At most one token of each pipeline was signed by the old key and seen when only the new one was published.
    const refused = since.filter((status) => status !== 201)
    expect(refused).toEqual(Array(refused.length).fill(401))
    expect(refused.length).toBeLessThanOrEqual(pipelines.length)
  },
)

test('tokens with unknown keys cause no more than one look', async () => {
  await using world = await fresh()
  const { issuer, service, person } = world
  for (let n = 0; n < 10; n += 1) {
    const jwt = await issuer.sign(gitHubClaims(issuer), { header: { kid: `none-${n}` } })
    expect((await exchange(service, { jwt, user: person.username })).status).toBe(401)
  }
  expect(issuer.requests).toBe(4)
  expect((await attempt(world)).status).toBe(201)
})

describe('without OIDC_ISSUERS', () => {
  test('there is no such address, no panel, and nothing is fetched', async () => {
    await using issuer = await startIssuer()
    await using service = await startService()
    const person = await signUp(service)
    const insert = sql`
      insert into publishers (user_id, issuer, repository)
      select id, ${issuer.addressOf('github')}, 'ada/engine' from users where username = ${person.username}`
    await query(service.db, insert)
    const jwt = await issuer.sign(gitHubClaims(issuer))
    await expectError(await exchange(service, { jwt, user: person.username }), 404, 'not_found')
    const headers = { Authorization: 'Bearer ship_x' }
    await expectError(await service.fetch('/api/oidc', { method: 'DELETE', headers }), 404, 'not_found')
    expect((await person.send('/settings/publishers', { issuer: issuer.addressOf('github') })).status).toBe(
      405,
    )
    expect(await (await person.get('/settings')).text()).not.toContain('id="publishers"')
    expect(issuer.requests).toBe(0)
  })

  test('one that was taken out of it is not believed any more', async () => {
    await using world = await fresh()
    await using elsewhere = await startIssuer()
    await using service = await startService(elsewhere.environment)
    expect((await attempt({ ...world, service })).status).toBe(401)
    expect([world.issuer.requests, elsewhere.requests]).toEqual([0, 0])
  })
})
