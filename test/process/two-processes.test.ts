import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hashSecret } from '../../src/data/account/tokens.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { tokenFrom } from '../../src/domain/account/token.ts'
import { json, post } from '../support/api.ts'
import { createPostgresDatabase, query } from '../support/database.ts'
import { untilReady } from '../support/eventually.ts'
import { inParallel } from '../support/parallel.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { doorOf, endOf, type Process, startProcess } from '../support/process.ts'

type Door = ReturnType<typeof doorOf>

describe('two processes on one Postgres', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let processes: Process[]
  let doors: Door[]

  beforeAll(async () => {
    database = await createPostgresDatabase()
    processes = [1, 2].map(() => startProcess({ DATABASE_URL: database.url }))
    doors = await Promise.all(processes.map(async ({ url }) => doorOf(await url)))
    for (const door of doors) await untilReady(door)
  })

  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGTERM')
    await Promise.all(processes.map(endOf))
    await database.drop()
  })

  test('10,000 mixed retries with keys make one row a key, and one answer', async () => {
    const posters = await Promise.all([1, 2, 3, 4, 5].map(() => signUpPoster(door(0))))
    const keys = 1_000
    const calls = Array.from({ length: 10_000 }, (_, n) => ({
      poster: posters[n % posters.length] as Poster,
      key: `run-${Math.floor(Math.random() * keys)}`,
      door: door(n),
    }))
    const answers = await inParallel(calls, 64, async ({ poster, key, door }) => {
      const response = await announce(door, poster, `feat: ${key}`, key)
      const { id } = (await response.json()) as { id: number }
      return {
        status: response.status,
        replayed: response.headers.has('idempotent-replayed'),
        id,
        poster,
        key,
      }
    })

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const idsOf = Map.groupBy(answers, ({ poster, key }) => `${poster.username} ${key}`)
    for (const same of idsOf.values()) {
      expect(new Set(same.map(({ id }) => id)).size).toBe(1)
      expect(same.filter(({ replayed }) => !replayed)).toHaveLength(1)
    }
    expect(await count(database.url)).toBe(idsOf.size)
  })

  test('1,000 times, a badge asked of the other process right after a post is Fresh', async () => {
    const posters = await addPosters(database.url, 1_000)
    const statuses = await inParallel([...posters.entries()], 8, async ([n, poster]) => {
      expect((await announce(door(n), poster, 'feat: it')).status).toBe(201)
      const badge = await door(n + 1).fetch(`/badge/${poster.username}.json`)
      return ((await badge.json()) as { message: string }).message
    })
    expect(statuses).toEqual(Array(1_000).fill('Fresh'))
  })

  test('twenty times, pages that the other process has kept show a post, a withdrawal and a name at once', async () => {
    const poster = await signUpPoster(door(0))
    const target = 'github.com/ada/engine'
    const show = async (text: string) =>
      await Promise.all(
        [`/${poster.username}`, `/${poster.username}/${target}`].map(async (path) =>
          (await (await door(1).fetch(path)).text()).includes(text),
        ),
      )
    const announced = (message: string) => poster.announced({ message, url: `https://${target}` })
    for (let n = 0; n < 20; n += 1) {
      await announced(`Before ${n}.`)
      const id = await announced(`Gone ${n}.`)
      expect(await show(`Gone ${n}.`)).toEqual([true, true])
      await announced(`Last ${n}.`)
      expect(await show(`Last ${n}.`)).toEqual([true, true])
      await poster.send(`/${poster.username}/${id}/delete`, {})
      expect(await show(`Gone ${n}.`)).toEqual([false, false])
      await poster.send('/settings/profile', { name: `Name ${n}` })
      expect(await show(`Name ${n}`)).toEqual([true, true])
    }
  })

  function door(n: number) {
    return doors[n % doors.length] as Door
  }
})

describe('the rate of two processes on one Postgres', () => {
  test('is one: of 40 parallel calls, exactly as many as it allows are recorded', async () => {
    const database = await createPostgresDatabase()
    const environment = { DATABASE_URL: database.url, RATE_LIMIT_PER_MINUTE: '7' }
    const processes = [startProcess(environment), startProcess(environment)]
    const doors = await Promise.all(processes.map(async ({ url }) => doorOf(await url, 7)))
    for (const door of doors) await untilReady(door)
    const poster = await signUpPoster(doors[0] as Door)
    const calls = Array.from({ length: 40 }, (_, n) => announce(doors[n % 2] as Door, poster, 'x'))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(7)
    expect(statuses.filter((status) => status === 429)).toHaveLength(33)
    expect(await count(database.url)).toBe(7)
    for (const { child } of processes) child.kill('SIGTERM')
    await Promise.all(processes.map(endOf))
    await database.drop()
  })
})

/** That many users with a token each, without the sign-up, whose password hashing would take minutes. */
async function addPosters(url: string, count: number): Promise<{ username: string; token: string }[]> {
  const posters = Array.from({ length: count }, (_, n) => ({
    username: `fresh-${n}`,
    token: tokenFrom(crypto.getRandomValues(new Uint8Array(32))),
  }))
  const usernames = sql.param(posters.map(({ username }) => username))
  const hashes = sql.param(posters.map(({ token }) => hashSecret(token)))
  const db = await openPostgres(url)
  await db.migrated
  await query(
    db,
    sql`
      with poster as (select * from unnest(${usernames}::text[], ${hashes}::text[]) as p(username, hash)),
      added as (
        insert into users (username, name, password_hash) select username, username, 'x' from poster
        returning id, username
      )
      insert into tokens (hash, user_id, last_four) select hash, id, 'abcd' from poster join added using (username)`,
  )
  await db.close()
  return posters
}

function announce(door: Door, { token }: Pick<Poster, 'token'>, message: string, key?: string) {
  return post(door, token, json({ message }), key === undefined ? {} : { 'Idempotency-Key': key })
}

async function count(url: string): Promise<number> {
  const db = await openPostgres(url)
  await db.migrated
  const [row] = await query<{ count: number }>(db, sql`select count(*)::int as count from deployments`)
  await db.close()
  return row?.count ?? 0
}
