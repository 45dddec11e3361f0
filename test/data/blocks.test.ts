import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { makePgArray } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { badgeReader } from '../../src/data/badges/reader.ts'
import { readCurrent, readEnvironments } from '../../src/data/current.ts'
import { listDeployments, newerPage } from '../../src/data/feed-pages.ts'
import { findWithNeighbours } from '../../src/data/pages/deployment-page.ts'
import { pageVersionReader } from '../../src/data/pages/page-versions.ts'
import { profileReader } from '../../src/data/pages/profiles.ts'
import { readProject } from '../../src/data/pages/projects.ts'
import { quotaReader } from '../../src/data/recording.ts'
import { countScopes } from '../../src/data/statements.ts'
import { type Db, type Queries, rowsOf } from '../../src/database/db.ts'
import { migrate } from '../../src/database/migrations.ts'
import { ourTypes } from '../../src/database/postgres/driver.ts'
import { plannerSettings } from '../../src/database/session-settings.ts'
import { wholeFeed } from '../../src/domain/feed/feed.ts'
import { createPostgresDatabase, runBy, standInDatabase } from '../support/database.ts'

/** One account has all of these, in 2,000 environments; its neighbours in every index have a few. */
const deployments = 200_000
const environments = 2_000
const [before, ada, after] = [1, 2, 3]

/** So many blocks of 8 KB may a probe read, and a page of 25 entries, each with one for the last five of its environment. */
const most = { probe: 12, page: 60 + 26 * 14 }

let asked: { query: string; parameters: unknown[] }[] = []
const logger = {
  logQuery(query: string, parameters: unknown[]) {
    asked.push({ query, parameters })
  },
}

const url = (path: string) => `github.com/ada/${path}`
const targets = { large: url('large'), small: url('small'), previews: url('previews'), absent: url('absent') }

describe(`In an account of ${deployments} deployments`, () => {
  let queries: Queries
  let db: Db
  let client: postgres.Sql
  let drop: () => Promise<void>

  beforeAll(async () => {
    const scratch = await createPostgresDatabase()
    drop = scratch.drop
    client = postgres(scratch.url, { max: 1, onnotice: () => {}, connection: plannerSettings, ...ourTypes })
    queries = drizzle(client, { casing: 'snake_case', logger }) as unknown as Queries
    await migrate(queries)
    db = runBy(
      (work) => work(queries),
      standInDatabase(() => null),
    )
    await fill()
  })
  afterAll(async () => {
    await client.end()
    await drop()
  })

  const scopes = Object.entries({ ...targets, everything: '' })
  /** Of the large target, the previews, the small target, and of none: after and before all others in the index. */
  const asEnvironments = ['production', 'pr-7', 'rare', 'zzz', 'aaa']
  const categories = ['bug_fix', 'feature', 'styling_change'] as const

  test.each(scopes)(
    'a badge of the target %s, of an environment and of none, is a probe, and another if it finds nothing',
    async (_, scope) => {
      for (const environment of [undefined, ...asEnvironments]) {
        const ask = () => badgeReader(db).newest({ username: 'ada', scope, environment })
        expect(await blocksOf(ask)).toBeLessThanOrEqual(
          environment === undefined ? most.probe : 2 * most.probe,
        )
      }
    },
  )

  test.each(scopes)(
    'a badge of a release of the target %s, where all are prereleases, is two probes and a page',
    async (_, scope) => {
      for (const environment of [undefined, ...asEnvironments]) {
        const ask = () => badgeReader(db).release({ username: 'ada', scope, environment })
        expect(await blocksOf(ask)).toBeLessThanOrEqual(2 * most.probe + most.page)
      }
    },
  )

  test.each(scopes)(
    'a page of the target %s, of an environment and of a category, reads its entries',
    async (_, scope) => {
      const part = { ...wholeFeed, userId: ada, scope: scope === '' ? null : scope }
      const parts = [
        part,
        ...asEnvironments.map((environment) => ({ ...part, by: { environment } })),
        ...categories.map((category) => ({ ...part, by: { category } })),
      ]
      for (const filter of parts) {
        for (const before of [null, 100_000, 10]) {
          expect(await blocksOf(() => listDeployments(db, { ...filter, before }))).toBeLessThanOrEqual(
            most.page,
          )
        }
        expect(await blocksOf(() => newerPage(db, { ...filter, before: 10 }))).toBeLessThanOrEqual(most.page)
      }
    },
  )

  test.each([1, 10, 100_000, deployments])(
    'the neighbours of the deployment %i take two probes, and what it replaced a third',
    async (id) => {
      const ask = () => findWithNeighbours(db, { username: 'ada', id })
      expect(await blocksOf(ask)).toBeLessThanOrEqual(3 * most.probe)
    },
  )

  test.each<[name: string, probes: number, scope: string | null, environment: string | undefined]>([
    ['everywhere', 202, null, undefined],
    ['in the small target', 2, targets.small, undefined],
    ['in an environment of none', 3, null, 'zzz'],
  ])('what is live %s takes a probe for each environment', async (_, probes, scope, environment) => {
    const ask = () => readCurrent(db, { userId: ada, scope, environment })
    expect(await blocksOf(ask)).toBeLessThanOrEqual(probes * most.probe)
    if (environment !== undefined) return
    const badge = () => badgeReader(db).live({ username: 'ada', scope: scope ?? '' })
    expect(await blocksOf(badge)).toBeLessThanOrEqual(probes * most.probe)
    const board = () => readEnvironments(db, { userId: ada, scope })
    expect(await blocksOf(board)).toBeLessThanOrEqual(probes * most.probe)
  })

  test('profiles and projects take a page and two probes for each environment', async () => {
    expect(await blocksOf(() => profileReader(db)('ada'))).toBeLessThanOrEqual(2 * most.page)
    for (const scope of [targets.small, targets.large]) {
      expect(await blocksOf(() => readProject(db, { userId: ada, scope }))).toBeLessThanOrEqual(2 * most.page)
    }
    const previews = () => readProject(db, { userId: ada, scope: targets.previews })
    expect(await blocksOf(previews)).toBeLessThanOrEqual(2 * most.page + 2 * 200 * most.probe)
    for (const username of ['ada', 'old']) {
      expect(await blocksOf(() => pageVersionReader(db)(username))).toBeLessThanOrEqual(2 * most.probe)
    }
  })

  test('a rate of 10,000 a minute costs no more than the deployments of the minute, however many call', async () => {
    expect(await blocksOf(() => quotaReader(db, 10_000)('hash-2'))).toBeLessThanOrEqual(most.probe)
    for (const key of [null, 'k']) {
      const [free, counted] = [await blocksOfCalls(0, key), await blocksOfCalls(10_000, key)]
      expect(counted).toBeLessThan(2 * free)
    }
  })

  /** The blocks that 200 announcements in one statement read and write, of which nothing is left. */
  async function blocksOfCalls(rate: number, key: string | null): Promise<number> {
    const calls = Array.from({ length: 200 }, (_, n) => {
      return { token_hash: 'hash-2', message: 'A', scopes: [''], key: key === null ? null : `${key}${n}` }
    })
    const call = `explain (analyze, buffers, format json) select announce($1, ${rate}, 3::smallint)`
    let blocks = Number.NaN
    await client
      .begin(async (transaction) => {
        const [row] = await transaction.unsafe(call, [JSON.stringify(calls)])
        blocks = blocksIn(row)
        throw new Error('undone')
      })
      .catch(({ message }) => expect(message).toBe('undone'))
    return blocks
  }

  /** The most blocks that the statements of a question read, planned for its parameters or for any. */
  async function blocksOf(ask: () => Promise<unknown>): Promise<number> {
    asked = []
    await ask()
    expect(asked.length).toBeGreaterThan(0)
    const sums: number[] = []
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.unsafe(`set plan_cache_mode = ${mode}`)
      let sum = 0
      for (const { query, parameters } of [...asked]) {
        await client.unsafe(`prepare asked as ${query}`)
        const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`
        const [row] = await client.unsafe(`explain (analyze, buffers, format json) execute asked${values}`)
        sum += blocksIn(row)
        await client.unsafe('deallocate asked')
      }
      sums.push(sum)
    }
    await client.unsafe('reset plan_cache_mode')
    return Math.max(...sums)
  }

  async function fill(): Promise<void> {
    const run = (text: string) => client.unsafe(text)
    await run(`
        insert into users (username, name, password_hash)
        values ('before', 'B', 'x'), ('ada', 'Ada', 'x'), ('after', 'A', 'x'), ('old', 'O', 'x')`)
    await run(
      `insert into users (username, name, password_hash) select 'u' || n, 'U', 'x' from generate_series(1, 2000) n`,
    )
    await run(`insert into tokens (hash, user_id, last_four) select 'hash-' || id, id, 'abcd' from users`)
    await run(`
        insert into deployments (user_id, message, url, version, category, scopes, target, target_rule, environment, deployed_at)
        select ${ada}, 'Thing ' || n, 'https://' || t, case when n < 4 or n > 190000 then 'v2.0.0-rc.' || n end, case when n % 3 = 0 then 'bug_fix' when n < 10 then 'feature' end,
          array['', 'github.com', 'github.com/ada', t], t, 3,
          case when t = '${targets.small}' then 'rare' when t = '${targets.large}' then 'Production' else 'pr-' || n % ${environments} end,
          now() - make_interval(secs => 10 * (${deployments} - n))
        from (
          select n, case when n < 4 then '${targets.small}' when n % 2 = 0 then '${targets.large}' else '${targets.previews}' end as t
          from generate_series(1, ${deployments}) n
        ) d`)
    for (const [user, first] of [
      [before, 'aaa'],
      [after, 'zzz'],
    ] as const) {
      await run(`
          insert into deployments (user_id, message, url, category, scopes, target, target_rule, environment, deployed_at)
          select ${user}, 'Thing ' || n, 'https://' || t, 'feature', array['', 'github.com', 'github.com/ada', t], t, 3, '${first}' || n % 20, now()
          from (select n, '${targets.large}' as t from generate_series(1, 300) n) d`)
    }
    await run(`
        insert into deployments (id, user_id, message, scopes, deployed_at)
        select -n, 4, 'Old', array[''], now() - interval '1 year' from generate_series(1, 5000) n`)
    await rowsOf(queries, sql`select ${countScopes(sql`array_agg(id)`)} from deployments`)
    await run(`
        insert into daily_deployments select user_id, utc_day(deployed_at), count(*) from deployments group by 1, 2`)
    await run('insert into user_stamps (user_id, stamp) select id, gen_random_uuid() from users')
    // Otherwise autovacuum would do so in the middle, which changes what is read.
    await run('vacuum analyze')
  }
})

function blocksIn(row: postgres.Row | undefined): number {
  const plan = row?.['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  const text = Array.isArray(value) ? makePgArray(value) : String(value)
  return `'${text.replaceAll("'", "''")}'`
}
