import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { DatabaseUnusable } from '../../../src/database/errors.ts'
import { openPostgres } from '../../../src/database/postgres/open.ts'
import { createPostgresDatabase, query, testDatabaseUrl } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { signUpPoster } from '../../support/people.ts'
import { startFaultProxy } from '../../support/postgres/fault-proxy.ts'
import { startService } from '../../support/service.ts'

describe.skipIf(testDatabaseUrl === undefined)('A start on Postgres (needs TEST_DATABASE_URL)', () => {
  let server: postgres.Sql
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let direct: postgres.Sql
  const role = `shipfeed_role_${crypto.randomUUID().slice(0, 8)}`

  beforeAll(async () => {
    server = postgres(testDatabaseUrl ?? '', { max: 1, onnotice: () => {} })
    database = await createPostgresDatabase(testDatabaseUrl ?? '')
    direct = postgres(database.url, { max: 1, onnotice: () => {} })
    await server.unsafe(`create role ${role} login`)
  })
  afterAll(async () => {
    await direct.unsafe(`drop owned by ${role}`)
    await direct.end()
    await database.drop()
    await server.unsafe(`drop role ${role}`)
    await server.end()
  })

  test('by a role that may not create what is missing is refused in one line', async () => {
    const { error } = await start(as(role))
    expect(error).toBeInstanceOf(DatabaseUnusable)
    expect(String(error)).toMatch(/^.*the Postgres of DATABASE_URL says: permission denied for database .*$/)
  })

  test('needs no right but to read and write where nothing is missing, also while all is read-only', async () => {
    expect((await start(database.url)).error).toBeNull()
    await direct.unsafe(`grant usage on schema drizzle to ${role}`)
    await direct.unsafe(
      `grant select, insert, update, delete on all tables in schema public, drizzle to ${role}`,
    )
    await direct.unsafe(`grant usage on all sequences in schema public to ${role}`)
    await direct.unsafe(`alter role ${role} set default_transaction_read_only = on`)
    expect((await start(as(role))).error).toBeNull()
  })

  test('sets what it needs of a session, whatever its role is set to', async () => {
    const wrong = ["DateStyle to 'German, DMY'", "TimeZone to 'Asia/Kathmandu'", 'synchronous_commit to off']
    wrong.push("default_transaction_isolation to 'serializable'", 'default_transaction_read_only to off')
    for (const setting of wrong) await direct.unsafe(`alter role ${role} set ${setting}`)
    const db = await openPostgres(as(role))
    await db.migrated
    const service = await startService({}, db)
    const poster = await signUpPoster(service)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => poster.announce({ message: `Number ${n}` })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect((await poster.get('/settings')).status).toBe(200)
    const read = sql`select current_setting('synchronous_commit') as commits`
    expect(await query<unknown>(db, read)).toEqual([{ commits: 'on' }])
    await service.close()
    await db.close()
  })

  test('is refused in one line where the database is not in UTF-8', async () => {
    const name = `shipfeed_test_${crypto.randomUUID().replaceAll('-', '')}`
    await server.unsafe(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
    const url = new URL(database.url)
    url.pathname = `/${name}`
    const { error } = await start(url.href)
    await server.unsafe(`drop database ${name} with (force)`)
    expect(error).toBeInstanceOf(DatabaseUnusable)
    expect(String(error)).toContain('is in LATIN1')
  })

  test('waits for a database that says nothing, says so with the cause, and goes on when it answers', async () => {
    const proxy = await startFaultProxy(database.url)
    proxy.set('silent')
    const news: string[] = []
    const db = await openPostgres(proxy.url, (text) => news.push(text))
    await eventually('it says so', () => news.length > 1)
    expect(news.slice(0, 2)).toEqual([
      'Shipfeed waits for the database, which has not answered yet',
      `Shipfeed waits for the database: ${new URL(proxy.url).host} does not answer`,
    ])
    proxy.set('forward')
    await db.migrated
    expect(news.at(-1)).toBe('The database is ready')
    await db.close()
    await proxy.close()
  }, 60_000)

  test('that has to wait for a backup leaves those who post alone, and says what it waits for', async () => {
    const older = await openPostgres(database.url)
    await older.migrated
    const service = await startService({}, older)
    const poster = await signUpPoster(service)
    // As if the migration that builds an index anew had not run.
    await direct`delete from drizzle.__drizzle_migrations where id >= 5`
    const backup = await direct.reserve()
    await backup`begin`
    await backup`lock table deployments in access share mode`
    const news: string[] = []
    const newer = await openPostgres(database.url, (text) => news.push(text))
    void newer.migrated.catch(() => {})
    const why = 'Shipfeed waits for the database: canceling statement due to lock timeout'
    await eventually('it says so', () => news.includes(why))
    for (let n = 0; n < 10; n += 1) {
      expect((await poster.announce({ message: `Meanwhile ${n}` })).status).toBe(201)
      await Bun.sleep(100)
    }
    await newer.close()
    await backup`commit`
    backup.release()
    await service.close()
    await older.close()
  }, 60_000)

  /** The address of the same database for another role. */
  function as(name: string): string {
    const url = new URL(database.url)
    url.username = name
    return url.href
  }
})

async function start(url: string): Promise<{ error: unknown }> {
  const db = await openPostgres(url)
  const error = await db.migrated.then(
    () => null,
    (error: unknown) => error,
  )
  await db.close()
  return { error }
}
