import { afterAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { forgetExchanges } from '../../../src/capabilities/publishers/store.ts'
import {
  bodyForms,
  created,
  expectError,
  expectUnauthorized,
  invalid,
  json,
  post,
} from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { textOf } from '../../support/markup.ts'
import { gitHubClaims, gitLabClaims, otherClaims } from '../../support/oidc/claims.ts'
import { exchange } from '../../support/oidc/exchange.ts'
import { startIssuer } from '../../support/oidc/issuer.ts'
import {
  behindProxy,
  fromNewAddress,
  type Person,
  password,
  rollToken,
  signUp,
  signUpPoster,
} from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const issuer = await startIssuer()
afterAll(issuer[Symbol.asyncDispose])
const service = await useService({ ...issuer.environment, ...behindProxy })

const engine = { issuer: issuer.addressOf('github'), repository: 'ada/engine' }

/** Somebody who trusts this pipeline. */
async function truster(publisher: Record<string, string> = engine): Promise<Person> {
  const person = await signUp(service)
  expect((await person.send('/settings/publishers', publisher)).headers.get('location')).toBe(
    '/settings?done=publisher-added',
  )
  return person
}

const gitHub = (more: Record<string, unknown> = {}) => issuer.sign(gitHubClaims(issuer, more))

/** The token that a right identity token is exchanged for. */
async function tokenOf({ username }: Person, jwt: string | Promise<string> = gitHub()): Promise<string> {
  const answer = await exchange(service, { jwt: await jwt, user: username }, fromNewAddress())
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { token: string }).token
}

const announceWith = async (token: string) =>
  (await post(service, token, json({ message: 'By OIDC' }))).status

const workflowPath = 'ada/engine/.github/workflows/deploy.yml'

describe('a right identity token', () => {
  test.each(Object.entries(bodyForms))(
    'in %s gets a token that announces, for 15 minutes',
    async (_, bodyOf) => {
      const person = await truster()
      const begun = Date.now()
      const answer = await exchange(service, { jwt: await gitHub(), user: person.username }, {}, bodyOf)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
      const body = (await answer.json()) as { token: string; expires_at: string }
      expect(body).toEqual({
        token: expect.stringMatching(/^ship_[0-9A-Za-z]{36}$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      })
      expect(Math.abs(Date.parse(body.expires_at) - begun - 15 * 60_000)).toBeLessThan(30_000)
      const record = await created(await post(service, body.token, json({ message: 'By OIDC' })))
      expect(record.user).toMatchObject({ name: person.name })
    },
  )

  test.each([
    ['the sub of before', { sub: 'repo:ada/engine:ref:refs/heads/main' }],
    ['the sub with numbers in it', { sub: 'repo:ada@5/engine@74:ref:refs/heads/main' }],
    ['the repository in another case', { repository: 'Ada/Engine' }],
    ['a run by hand', { event_name: 'workflow_dispatch' }],
    ['a branch that is called as a pull request', { ref: 'refs/heads/refs/pull/7' }],
    ['a branch below pull', { workflow_ref: `${workflowPath}@refs/heads/pull/7/merge` }],
    ['a merge queue', { event_name: 'merge_group', ref: 'refs/heads/gh-readonly-queue/main/pr-7' }],
    ['a clock that is 50 s ahead', { iat: Math.floor(Date.now() / 1_000) + 50 }],
  ])('may have %s', async (_, more) => {
    expect(await announceWith(await tokenOf(await truster(), gitHub(more)))).toBe(201)
  })

  test('may be of GitLab, or of another issuer that is trusted by sub', async () => {
    const person = await truster({ issuer: issuer.addressOf('gitlab'), repository: 'ada/engine' })
    const other = { issuer: issuer.addressOf('other'), repository: 'organization:Ada:pipeline:7' }
    await person.send('/settings/publishers', other)
    for (const claims of [gitLabClaims(issuer), otherClaims(issuer)]) {
      expect(await announceWith(await tokenOf(person, issuer.sign(claims)))).toBe(201)
    }
  })

  test('may be of a child pipeline of a protected branch on GitLab', async () => {
    const person = await truster({ issuer: issuer.addressOf('gitlab'), repository: 'ada/engine' })
    const child = { pipeline_source: 'parent_pipeline', ref_path: 'refs/heads/main', ref_protected: 'true' }
    expect(await announceWith(await tokenOf(person, issuer.sign(gitLabClaims(issuer, child))))).toBe(201)
  })

  test('finds the one of several publishers of its repository', async () => {
    const person = await truster({ ...engine, workflow: 'other.yml' })
    await person.send('/settings/publishers', { ...engine, environment: 'Production' })
    expect(await announceWith(await tokenOf(person))).toBe(201)
  })

  test('is good once, also for 20 at the same time', async () => {
    const { username: user } = await truster()
    const jwt = await gitHub()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => exchange(service, { jwt, user }, fromNewAddress())),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)])
    const again = await exchange(service, { jwt, user }, fromNewAddress())
    expect(await invalid(again)).toEqual({ jwt: [expect.stringContaining('was used before')] })
  })

  test('counts for the user who is named, and only if they trust it', async () => {
    const [ada, eve] = [await truster(), await signUp(service)]
    for (const user of [eve.username, 'nobody-of-this-name']) {
      const answer = await exchange(service, { jwt: await gitHub(), user }, fromNewAddress())
      await expectError(answer, 403, 'forbidden')
    }
    expect(await announceWith(await tokenOf(ada))).toBe(201)
  })
})

describe('the numbers behind a repository', () => {
  test.each([
    ['repository_owner_id', '6', '"6", and was "5"'],
    ['repository_id', '75', '"75", and was "74"'],
  ])('are pinned at first use: another %s is 403, and the owner sees it', async (claim, value, words) => {
    const person = await truster()
    await tokenOf(person)
    const answer = await exchange(service, { jwt: await gitHub({ [claim]: value }), user: person.username })
    expect(((await answer.clone().json()) as { message: string }).message).toContain(`${claim} is ${words}`)
    await expectError(answer, 403, 'forbidden')
    await eventually('the owner is told', async () => {
      const panel = textOf(await (await person.get('/settings')).text(), '#refusals')
      return panel.includes(words) && panel.includes('ada/engine')
    })
    expect(await announceWith(await tokenOf(person))).toBe(201)
  })

  test('of two first uses at once with different ones, one is refused', async () => {
    const { username: user } = await truster()
    const answers = await Promise.all(
      ['5', '6'].map(async (repository_owner_id) =>
        exchange(service, { jwt: await gitHub({ repository_owner_id }), user }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403])
  })

  test('a stranger is no news for an owner', async () => {
    const person = await truster()
    await exchange(service, { jwt: await gitHub({ repository: 'eve/x' }), user: person.username })
    await exchange(service, { jwt: await gitHub({ event_name: 'pull_request' }), user: person.username })
    await eventually('the owner is told', async () => {
      const panel = textOf(await (await person.get('/settings')).text(), '#refusals')
      return panel.includes('event_name') && !panel.includes('eve/x')
    })
  })
})

describe("a publisher's token", () => {
  const revoke = (token: string) =>
    service.fetch('/api/oidc', { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } })

  test('ends by DELETE /api/oidc, once', async () => {
    const token = await tokenOf(await truster())
    const answer = await revoke(token)
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    await expectUnauthorized(await revoke(token))
    expect(await announceWith(token)).toBe(401)
  })

  test("is none of a user's own, which DELETE /api/oidc leaves alone", async () => {
    const poster = await signUpPoster(service)
    await expectUnauthorized(await revoke(poster.token))
    expect(await announceWith(poster.token)).toBe(201)
  })

  test('ends after 15 minutes, and is forgotten then', async () => {
    const person = await truster()
    const token = await tokenOf(person)
    const ofUser = sql`user_id = (select id from users where username = ${person.username})`
    await query(service.db, sql`update tokens set expires_at = now() - interval '1 ms' where ${ofUser}`)
    expect(await announceWith(token)).toBe(401)
    await expectUnauthorized(await revoke(token))
    await forgetExchanges(service.db)
    expect(await query(service.db, sql`select from tokens where ${ofUser}`)).toEqual([])
  })

  test('ends with its publisher', async () => {
    const person = await truster()
    const token = await tokenOf(person)
    const [, path = ''] =
      /action="(\/settings\/publishers\/\d+\/delete)"/.exec(await (await person.get('/settings')).text()) ??
      []
    expect((await person.send(path, {})).status).toBe(303)
    expect(await announceWith(token)).toBe(401)
  })

  test('ends with the account', async () => {
    const person = await truster()
    const token = await tokenOf(person)
    await person.send('/settings/delete', { username: person.username, password })
    expect(await announceWith(token)).toBe(401)
    expect((await exchange(service, { jwt: await gitHub(), user: person.username })).status).toBe(403)
  })

  test("and a user's own do not know of each other", async () => {
    const person = await truster()
    const given = [await tokenOf(person), await tokenOf(person)]
    const first = await rollToken(person)
    const second = await rollToken(person, { keep_old: '24h' })
    const panel = textOf(await (await person.get('/settings')).text(), '#token')
    expect(panel).toContain(`The old token ship_…${first.slice(-4)}`)
    const statuses = [...given, first, second].map(announceWith)
    expect(await Promise.all(statuses)).toEqual([201, 201, 201, 201])
  })
})

describe('a request to POST /api/oidc', () => {
  test('needs both fields: all that are wrong are named', async () => {
    const details = { jwt: [expect.any(String)], user: [expect.any(String)] }
    for (const fields of [{}, { jwt: '', user: 'not a name' }]) {
      expect(await invalid(await exchange(service, fields))).toEqual(details)
    }
  })

  test('needs a body that can be read', async () => {
    await expectError(await service.fetch('/api/oidc', { method: 'POST' }), 415, 'unsupported_media_type')
    const large = await exchange(service, { jwt: 'x'.repeat(65_536), user: 'ada' })
    await expectError(large, 413, 'payload_too_large')
    const get = await service.fetch('/api/oidc')
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, DELETE'])
  })

  test('may fail 60 times an hour from an address, and a right token is served even after that', async () => {
    const person = await truster()
    const from = fromNewAddress()
    const wrong = () => exchange(service, { jwt: 'wrong', user: person.username }, from)
    for (let n = 0; n < 60; n += 1) expect((await wrong()).status).toBe(401)
    const throttled = await wrong()
    expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(3_000)
    await expectError(throttled, 429, 'rate_limited')
    const right = await exchange(service, { jwt: await gitHub(), user: person.username }, from)
    expect(right.status).toBe(201)
  })
})

test('what happens is in the log, and no token of anybody', async () => {
  const person = await truster()
  const jwt = await gitHub()
  const token = await tokenOf(person, jwt)
  const mine = service.events.filter((line) => line.includes(`"${person.username}"`)).join('\n')
  expect(mine).toContain('"event":"publisher_added"')
  expect(mine).toContain('"event":"token_exchanged"')
  for (const secret of [token, jwt.slice(0, 40)]) {
    expect([...service.events, ...service.logged].join('\n')).not.toContain(secret)
  }
})
