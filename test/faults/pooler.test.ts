import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { DatabaseUnusable, Unavailable } from '../../src/database/errors.ts'
import { guard } from '../../src/database/guard.ts'
import { addressesOf } from '../../src/database/postgres/addresses.ts'
import { connectTo } from '../../src/database/postgres/connect.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { openPool } from '../../src/database/postgres/pool.ts'
import { poolSettings } from '../../src/database/session-settings.ts'
import { createPostgresDatabase, query, testDatabaseUrl } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { hasPgbouncer, type Pooler, startPgbouncer } from '../support/postgres/pgbouncer.ts'
import { startService } from '../support/service.ts'

const needsPooler = testDatabaseUrl === undefined || !hasPgbouncer

describe.skipIf(testDatabaseUrl === undefined)('A transaction (needs TEST_DATABASE_URL)', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  beforeAll(async () => {
    database = await createPostgresDatabase(testDatabaseUrl ?? '')
  })
  afterAll(() => database.drop())

  test('whose prepared statements the server forgot is committed all the same', async () => {
    const db = await openPostgres(database.url)
    await db.migrated
    await query(db, sql`create table kept (n int)`)
    for (let n = 0; n < 3; n += 1) {
      await db.run((queries) =>
        queries.transaction(async (transaction) => {
          await transaction.execute(sql`insert into kept values (${n})`)
          await transaction.execute(sql`deallocate all`)
        }),
      )
    }
    expect(await query<unknown>(db, sql`select n from kept order by n`)).toEqual([
      { n: 0 },
      { n: 1 },
      { n: 2 },
    ])
    await db.close()
  })

  test('that the server rolls back in place of committing is never taken for stored', async () => {
    const db = await openPostgres(database.url)
    await db.migrated
    const swallowed = db.run((queries) =>
      queries.transaction(async (transaction) => {
        await transaction.execute(sql`select 1 / 0`).catch(() => {})
        return 'stored'
      }),
    )
    expect(await swallowed.catch((error: unknown) => error)).toBeInstanceOf(Unavailable)
    await db.close()
  })
})

describe.skipIf(needsPooler)(
  'Behind pgbouncer (needs TEST_DATABASE_URL, and apt-get install pgbouncer)',
  () => {
    let database: Awaited<ReturnType<typeof createPostgresDatabase>>
    beforeAll(async () => {
      database = await createPostgresDatabase(testDatabaseUrl ?? '')
    })
    afterAll(() => database.drop())

    test('in session mode, as it is installed, everything works', async () => {
      const pooler = await startPgbouncer(database.url, 'session')
      const db = await openPostgres(pooler.url)
      await db.migrated
      const service = await startService({}, db)
      const poster = await signUpPoster(service)
      const answers = await Promise.all([1, 2, 3, 4].map((n) => poster.announce({ message: `Number ${n}` })))
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      expect(await (await service.fetch(`/badge/${poster.username}.svg`)).text()).toContain('Fresh')
      await service.close()
      await db.close()
      await pooler.stop()
    })

    describe('in transaction mode', () => {
      let pooler: Pooler
      beforeAll(async () => {
        pooler = await startPgbouncer(database.url, 'transaction')
      })
      afterAll(() => pooler.stop())

      test('a start is refused, and says what to do', async () => {
        const db = await openPostgres(pooler.url)
        const error = await db.migrated.then(
          () => null,
          (error: unknown) => error,
        )
        expect(error).toBeInstanceOf(DatabaseUnusable)
        expect(String(error)).toContain('give its session mode')
        await db.close()
      })

      test('nothing that was acknowledged is lost, even if one is put there later', async () => {
        const direct = await openPostgres(database.url)
        await direct.migrated
        await query(direct, sql`create table written (n int)`)
        const connect = connectTo(addressesOf(pooler.url) ?? [])
        const pool = openPool({ size: 10, tell() {}, open: (onClose) => connect(poolSettings, { onClose }) })
        const run = guard(pool.run)
        const acknowledged: number[] = []
        await Promise.all(
          Array.from({ length: 8 }, async (_, writer) => {
            for (let n = writer; n < 400; n += 8) {
              const insert = run((queries) =>
                queries.transaction(async (transaction) => {
                  await transaction.execute(sql`select pg_advisory_xact_lock(${1})`)
                  await transaction.execute(sql`insert into written values (${n})`)
                }),
              )
              await insert.then(
                () => acknowledged.push(n),
                () => {},
              )
            }
          }),
        )
        const stored = await query<{ n: number }>(direct, sql`select n from written order by n`)
        const kept = new Set(stored.map(({ n }) => n))
        expect(acknowledged.length).toBeGreaterThan(100)
        expect(acknowledged.filter((n) => !kept.has(n))).toEqual([])
        expect(kept.size).toBe(stored.length)
        await pool.close(0)
        await direct.close()
      })
    })
  },
)
