import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { guard } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'
import { addressesIn } from '../../src/database/postgres/addresses.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { openPool } from '../../src/database/postgres/pool.ts'
import { connectTo } from '../../src/database/postgres/serving-server.ts'
import { poolSettings } from '../../src/database/session-settings.ts'
import { createPostgresDatabase, queryInTime, testDatabaseUrl } from '../support/database.ts'
import { eventually, patience, untilReady } from '../support/eventually.ts'
import { followFeed } from '../support/live/follower.ts'
import { needing } from '../support/needs/needs.ts'
import { inParallel } from '../support/parallel.ts'
import { signUpPoster } from '../support/people.ts'
import { startLoad } from '../support/postgres/load.ts'
import { startPgbouncer } from '../support/postgres/pgbouncer.ts'
import { doorOf, startProcess } from '../support/process.ts'
import { startService } from '../support/service.ts'

const { describe: pooled } = needing('pgbouncer')
/** The promise to a pipeline (docs/decisions.md#operation). */
const promisedMs = 2_500
/** Each fault lasts long enough for the pools of both processes to notice it. */
const faultMs = 1_500

let database: Awaited<ReturnType<typeof createPostgresDatabase>>
beforeAll(async () => {
  if (testDatabaseUrl !== undefined) database = await createPostgresDatabase()
})
afterAll(() => database?.drop())

describe('A transaction', () => {
  test('whose prepared statements the server forgot is committed all the same', async () => {
    const db = await openPostgres(database.url)
    await db.migrated
    await queryInTime(db, sql`create table kept (n int)`)
    for (let n = 0; n < 3; n += 1) {
      await db.write((queries) =>
        queries.transaction(async (transaction) => {
          await transaction.execute(sql`insert into kept values (${n})`)
          await transaction.execute(sql`deallocate all`)
        }),
      )
    }
    expect(await queryInTime<unknown>(db, sql`select n from kept order by n`)).toEqual([
      { n: 0 },
      { n: 1 },
      { n: 2 },
    ])
    await db.close()
  })

  test('that the server rolls back instead of committing is never taken for stored', async () => {
    const db = await openPostgres(database.url)
    await db.migrated
    const swallowed = db.write((queries) =>
      queries.transaction(async (transaction) => {
        await transaction.execute(sql`select 1 / 0`).catch(() => {})
        return 'stored'
      }),
    )
    expect(await swallowed.catch((error: unknown) => error)).toBeInstanceOf(Unavailable)
    await db.close()
  })
})

pooled('Processes behind pgbouncer', () => {
  const ending: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ending.splice(0).toReversed()) await end()
  })

  test.each([
    ['session mode', 'session', 40, false],
    ['transaction mode', 'transaction', 3, false],
    ['transaction mode with DATABASE_LISTEN_URL', 'transaction', 3, true],
  ] as const)(
    'in %s lose nothing that was acknowledged, whatever fails, although a third of it was lost once',
    async (_, mode, poolSize, isDirectToo) => {
      const { url, drop } = await createPostgresDatabase()
      ending.push(drop)
      const pooler = await startPgbouncer(url, mode, { default_pool_size: poolSize })
      ending.push(pooler.stop)
      const direct = postgres(url, { max: 1, onnotice() {} })
      ending.push(() => direct.end())
      const processes = [1, 2].map(() =>
        startProcess({
          DATABASE_URL: pooler.url,
          STREAMS_PER_ADDRESS: '100',
          ...(isDirectToo ? { DATABASE_LISTEN_URL: url } : {}),
        }),
      )
      ending.push(() => processes.map(({ child }) => child.kill('SIGKILL')))
      const urls = await Promise.all(processes.map(({ url }) => url))
      const doors = urls.map((url) => doorOf(url))
      await Promise.all(doors.map(untilReady))
      const posters = await Promise.all(
        doors.map((door, n) => signUpPoster(door, { username: `poster-${n}` })),
      )
      const followers = Array.from({ length: 20 }, (_, n) => followFeed(urls[n % 2] ?? ''))
      await eventually('all follow', () => followers.every(({ connections }) => connections > 0))
      const load = startLoad(doors, posters)
      const goesOn = async () => {
        const done = load.acknowledged.size
        await eventually('it goes on', () => load.acknowledged.size > done + 40)
      }

      await goesOn()
      await pooler.kill()
      await Bun.sleep(faultMs)
      await pooler.start()
      await goesOn()
      // In session mode, "pause" would wait for the end of all sessions.
      if (mode === 'transaction') {
        await pooler.command('pause')
        await Bun.sleep(faultMs)
        await pooler.command('resume')
        await goesOn()
      }
      await pooler.command('reload')
      // Ends all of the pooler's connections to the server while they are in use.
      await direct`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
      await goesOn()
      await load.stop()

      const stored = await direct<{ id: number; message: string }[]>`
        select id::int, message from deployments order by id`
      expect(stored).toHaveLength(load.acknowledged.size)
      expect(new Map(stored.map(({ id, message }) => [message, id]))).toEqual(new Map(load.acknowledged))
      expect({ wrong: load.wrong, unexpected: load.unexpected }).toEqual({ wrong: [], unexpected: [] })
      expect(load.badges).toBeGreaterThan(100)
      expect(load.slowestMs).toBeLessThan(patience(promisedMs))
      const ids = stored.map(({ id }) => id)
      await eventually('all see the last one', () => followers.every((one) => one.ids.at(-1) === ids.at(-1)))
      await Promise.all(followers.map((follower) => follower.stop()))
      for (const follower of followers) {
        expect(follower.gaps).toBe(0)
        expect(follower.ids).toEqual(ids)
      }
    },
  )

  test('lose nothing that was acknowledged if the pooler is put before Postgres after their start', async () => {
    const pooler = await startPgbouncer(database.url, 'transaction')
    ending.push(pooler.stop)
    const direct = postgres(database.url, { max: 1, onnotice() {} })
    ending.push(() => direct.end())
    await direct`create table written (n int)`
    const connect = connectTo(addressesIn('DATABASE_URL', pooler.url))
    const pool = openPool({ size: 10, report() {}, open: (onClose) => connect(poolSettings, { onClose }) })
    ending.push(() => pool.close(0))
    const run = guard(pool.run)
    const acknowledged: number[] = []
    const write = async (n: number) => {
      const written = run((queries) =>
        queries.transaction(async (transaction) => {
          await transaction.execute(sql`select pg_advisory_xact_lock(${1})`)
          await transaction.execute(sql`insert into written values (${n})`)
        }),
      )
      await written.then(
        () => acknowledged.push(n),
        () => {},
      )
    }
    await inParallel([...Array(400).keys()], 8, write)
    const kept = await direct<{ n: number }[]>`select n from written order by n`
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(kept.map(({ n }) => n)).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(kept.map(({ n }) => n)).size).toBe(kept.length)
  })

  test('treat a pooler that takes no more clients, or keeps them waiting, as an outage that ends by itself', async () => {
    const limits = { default_pool_size: 2, max_client_conn: 5, query_wait_timeout: 1 }
    const pooler = await startPgbouncer(database.url, 'transaction', limits)
    ending.push(pooler.stop)
    const db = await openPostgres(pooler.url)
    ending.push(db.close)
    await db.migrated
    const service = await startService({}, db)
    ending.push(service.close)
    const hogging = postgres(pooler.url, { max: 2, prepare: false, fetch_types: false })
    ending.push(() => hogging.end())
    const places = [1, 2].map(() => Promise.withResolvers<void>())
    const over = Promise.withResolvers<void>()
    const hogs = places.map(({ resolve }) =>
      hogging.begin(async (hog) => {
        await hog`select 1`
        resolve()
        await over.promise
      }),
    )
    await Promise.all(places.map(({ promise }) => promise))
    // More at once than the pooler has places for, of different profiles, which are not asked for together.
    const paths = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? '/' : `/nobody-${n}`))
    for (let n = 0; n < 3; n += 1) {
      const begunAt = performance.now()
      const answers = await Promise.all(paths.map((path) => service.fetch(path)))
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 503))
      expect(answers.every(({ headers }) => headers.has('retry-after'))).toBe(true)
      expect(performance.now() - begunAt).toBeLessThan(patience(promisedMs))
    }
    over.resolve()
    await Promise.all(hogs)
    await untilReady(service)
  })
})
