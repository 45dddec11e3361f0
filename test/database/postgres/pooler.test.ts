import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { type Db, type Queries, type Report, rowsOf } from '../../../src/database/db.ts'
import { codeOf, DatabaseUnusable, Unavailable } from '../../../src/database/errors.ts'
import { lookInto, readDatabaseFacts } from '../../../src/database/open.ts'
import { openPostgres, type PostgresOptions } from '../../../src/database/postgres/open.ts'
import { routeTo } from '../../../src/database/postgres/pooler.ts'
import { poolSettings } from '../../../src/database/session-settings.ts'
import { createPostgresDatabase, queryInTime, testDatabaseUrl } from '../../support/database.ts'
import { eventually, patience } from '../../support/eventually.ts'
import { needing } from '../../support/needs/needs.ts'
import { type Pooler, startPgbouncer } from '../../support/postgres/pgbouncer.ts'

const { describe } = needing('pgbouncer')
const names = [...Object.keys(poolSettings), 'synchronous_commit']
const settings = `select ${names.map((name) => `current_setting('${name}') as "${name}"`).join(', ')}`
const ours = {
  ...poolSettings,
  statement_timeout: '1800ms',
  idle_in_transaction_session_timeout: '2s',
  synchronous_commit: 'on',
}

describe('Through a pooler', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let pooler: Pooler
  let db: Db
  /** Another client, which gets the same connections from the pooler. */
  let stranger: postgres.Sql

  beforeAll(async () => {
    database = await createPostgresDatabase()
    pooler = await startPgbouncer(database.url, 'transaction', { default_pool_size: 2 })
    stranger = postgres(pooler.url, { max: 4, prepare: false, fetch_types: false, onnotice: () => {} })
    db = await openPostgres(pooler.url)
  })
  afterAll(async () => {
    await stranger.end()
    await db.close()
    await pooler.stop()
    await database.drop()
  })

  test('an empty database is migrated', async () => {
    await db.migrated
    expect(await queryInTime<unknown>(db, sql`select count(*)::int as users from users`)).toEqual([
      { users: 0 },
    ])
  })

  test('no setting leaks to the next client of the connection, not even after a failure', async () => {
    const direct = postgres(database.url, { max: 1, fetch_types: false })
    const untouched = await direct.unsafe(settings)
    await direct.end()
    for (let n = 0; n < 30; n += 1) {
      const [, ...seen] = await Promise.all([
        queryInTime(db, sql`select 1 / ${n % 3}::int`).catch(() => {}),
        ...[1, 2, 3].map(() => stranger.unsafe(settings)),
        db.write((queries) => queries.transaction((transaction) => transaction.execute(sql`select 1`))),
      ])
      for (const each of seen.slice(0, 3)) expect(each).toEqual(untouched)
    }
    const [left] = await stranger`select count(*)::int as prepared from pg_prepared_statements`
    expect(left).toEqual({ prepared: 0 })
  })

  test('a statement that would run for ever is cancelled in time', async () => {
    const begunAt = performance.now()
    const error = await queryInTime(db, sql`select pg_sleep(30)`).catch((error: unknown) => error)
    expect(codeOf(error)).toBe('57014')
    expect(performance.now() - begunAt).toBeLessThan(patience(2_500))
  })

  test('a failed transaction is rolled back, and one that the server did not commit counts as failed', async () => {
    await queryInTime(db, sql`create table kept (n int unique deferrable initially deferred)`)
    const inTransaction = (work: (queries: Queries) => Promise<unknown>) =>
      db.write((queries) => queries.transaction(work)).catch((error: unknown) => error)
    const insert = sql`insert into kept values (1)`
    const failed = await inTransaction(async (transaction) => {
      await transaction.execute(insert)
      throw new Error('Not this')
    })
    expect(String(failed)).toContain('Not this')
    const swallowed = await inTransaction(async (transaction) => {
      await transaction.execute(insert)
      await transaction.execute(sql`select 1 / 0`).catch(() => {})
    })
    expect(swallowed).toBeInstanceOf(Unavailable)
    // This one fails at its commit, which the driver sends.
    const twice = await queryInTime(db, sql`insert into kept values (2), (2)`).catch(
      (error: unknown) => error,
    )
    expect(codeOf(twice)).toBe('23505')
    expect(await queryInTime<unknown>(db, sql`select from kept`)).toHaveLength(0)
  })

  test('long work is one transaction, which sees one instant, or changes everything or nothing', async () => {
    const counted = sql`select count(*)::int as kept from kept`
    await db.snapshot(async (queries) => {
      await queries.execute(counted)
      await queryInTime(db, sql`insert into kept values (3)`)
      expect(await rowsOf<unknown>(queries, counted)).toEqual([{ kept: 0 }])
      const mode = sql`select current_setting('transaction_read_only') as "readOnly"`
      expect(await rowsOf<unknown>(queries, mode)).toEqual([{ readOnly: 'on' }])
    })
    await db.writeAtLength(async (transaction) => {
      await transaction.execute(sql`insert into kept values (4)`)
      // Longer than a request may take.
      await transaction.execute(sql`select pg_sleep(2.2)`)
    })
    expect(await queryInTime<unknown>(db, counted)).toEqual([{ kept: 2 }])
  })

  test('the database can be inspected', async () => {
    const facts = await lookInto({ databaseUrl: pooler.url, dataDir: '' }, async (queries, hasSession) => ({
      ...(await readDatabaseFacts(queries)),
      hasSession,
    }))
    expect(facts).toMatchObject({ schema: 'same', isReadOnly: false, hasSession: false })
  })

  test('a commit rings the bell, by polling, or by NOTIFY with DATABASE_LISTEN_URL, unless BELL is poll', async () => {
    const cases: readonly (readonly [PostgresOptions, string])[] = [
      [{}, 'a pooler: without DATABASE_LISTEN_URL, live feeds poll four times a second'],
      [{ databaseListenUrl: database.url }, 'a pooler'],
      [{ databaseListenUrl: database.url, bell: 'poll' }, 'a pooler'],
    ]
    for (const [options, reported] of cases) {
      const news: string[] = []
      // A slow start also reports that it waits.
      const report: Report = (text, event) =>
        event !== 'database_waiting' && event !== 'database_ready' && news.push(text)
      const heard = await openPostgres(pooler.url, report, options)
      let rings = 0
      const bell = heard.hearBell(() => (rings += 1))
      await eventually('it is heard', () => bell.isHeard !== false)
      expect(news).toEqual([`DATABASE_URL leads to ${reported}`])
      const before = rings
      await queryInTime(db, sql`select pg_notify('deployments', '')`)
      await eventually('it rings', () => rings > before)
      await bell.stop()
      await heard.close()
    }
  })

  test('a DATABASE_LISTEN_URL that leads to a pooler, or to another database, is refused', async () => {
    const startWith = async (databaseListenUrl: string) => {
      const other = await openPostgres(pooler.url, () => {}, { databaseListenUrl })
      const error = await other.migrated.catch((error: unknown) => error)
      await other.close()
      return error
    }
    const toPooler = await startWith(pooler.url)
    expect(toPooler).toBeInstanceOf(DatabaseUnusable)
    expect(String(toPooler)).toContain('DATABASE_LISTEN_URL leads to a pooler')
    const elsewhere = await startWith(testDatabaseUrl)
    expect(elsewhere).toBeInstanceOf(DatabaseUnusable)
    expect(String(elsewhere)).toContain('to a different database')
  })

  test('every setting holds in each statement and each transaction, whatever other clients leave behind', async () => {
    const theirs = `set DateStyle = German; set TimeZone = 'Asia/Tokyo'; set jit = on;
      set statement_timeout = 900; set synchronous_commit = off; select pg_sleep(0.02)`
    for (let n = 0; n < 10; n += 1) {
      // On both connections of the pooler.
      await Promise.all([stranger.unsafe(theirs), stranger.unsafe(theirs)])
      expect(await stranger.unsafe('show statement_timeout')).toMatchObject([{ statement_timeout: '900ms' }])
      const read = (queries: Queries) => rowsOf<unknown>(queries, sql.raw(settings))
      expect(await db.write(read)).toEqual([ours])
      expect(await db.write((queries) => queries.transaction(read))).toEqual([ours])
    }
  })

  test('a start tells a pooler from a server every time, in either mode, however busy other clients are', async () => {
    const keeping = await startPgbouncer(database.url, 'session')
    let isOver = false
    const busy = [pooler.url, keeping.url].map(async (url) => {
      const others = postgres(url, { max: 4, prepare: false, fetch_types: false })
      const work = async () => {
        while (!isOver) await others.unsafe(`select pg_sleep(${Math.random() / 200})`)
      }
      await Promise.all([1, 2, 3, 4].map(work))
      await others.end()
    })
    for (let n = 0; n < 20; n += 1) {
      for (const url of [pooler.url, keeping.url, database.url]) {
        const route = routeTo(url)
        await route.find()
        expect(route.isShared).toBe(url !== database.url)
      }
    }
    isOver = true
    await Promise.all(busy)
    await keeping.stop()
  })
})
