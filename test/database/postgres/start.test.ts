import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { DatabaseUnusable } from '../../../src/database/errors.ts'
import { openPostgres } from '../../../src/database/postgres/open.ts'
import { createPostgresDatabase, queryInTime, testDatabaseUrl } from '../../support/database.ts'
import { codeUnder } from '../../support/deploy/operations.ts'
import { outcomeOf } from '../../support/deploy/programs.ts'
import { eventually } from '../../support/eventually.ts'
import { needing } from '../../support/needs/needs.ts'
import { signUpPoster } from '../../support/people.ts'
import { startPostgresCluster } from '../../support/postgres/cluster.ts'
import { startFaultProxy } from '../../support/postgres/fault-proxy.ts'
import { endOf, startProcess } from '../../support/process.ts'
import { startService } from '../../support/service.ts'

describe('A start on Postgres', () => {
  let server: postgres.Sql
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let direct: postgres.Sql
  const role = `shipfeed_role_${crypto.randomUUID().slice(0, 8)}`

  beforeAll(async () => {
    server = postgres(testDatabaseUrl, { max: 1, onnotice: () => {} })
    database = await createPostgresDatabase()
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

  test('by a role that may not create the missing schema is refused in one line', async () => {
    const { error } = await start(as(role))
    expect(error).toBeInstanceOf(DatabaseUnusable)
    expect(String(error)).toMatch(
      /^.*the Postgres server in DATABASE_URL says: permission denied for database .*$/,
    )
  })

  test('names DATABASE_LISTEN_URL if that address is refused', async () => {
    const { error } = await start(database.url, as('no-role-of-this-name'))
    expect(error).toBeInstanceOf(DatabaseUnusable)
    expect(String(error)).toMatch(
      /the Postgres server in DATABASE_LISTEN_URL says: role "no-role-of-this-name" does not/,
    )
    expect(String((await start(as('no-role-of-this-name'))).error)).toContain(
      'the Postgres server in DATABASE_URL says',
    )
  })

  needing('openssl', 'postgresql').test(
    'with sslmode=verify-full trusts only a known certificate of a host',
    async () => {
      const cluster = await startPostgresCluster()
      try {
        const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) =>
          join(cluster.socketFolder, name),
        )
        const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-nodes']
        const files = ['-keyout', key ?? '', '-out', certificate ?? '']
        await outcomeOf(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', ...subject, ...files])
        await outcomeOf(['chown', 'postgres', key ?? '', certificate ?? ''])
        await cluster.configure({ ssl_key_file: key ?? '', ssl_cert_file: certificate ?? '', ssl: 'on' })
        const url = `${cluster.url.replace('127.0.0.1', 'localhost')}?sslmode`

        const db = await openPostgres(`${url}=require`)
        await db.migrated
        const asked = sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
        expect(await queryInTime<unknown>(db, asked)).toEqual([{ ssl: true }])
        await db.close()

        const { error } = await start(`${url}=verify-full`)
        expect(error).toBeInstanceOf(DatabaseUnusable)
        expect(String(error)).toContain(
          'the certificate of the Postgres server in DATABASE_URL is not trusted: self',
        )
        const byAddress = await openPostgres(`${url}=verify-full&sslrootcert=${certificate}`)
        await byAddress.migrated
        await byAddress.close()
        // As Neon gives it.
        const byPipeline = await openPostgres(`${url}=require&channel_binding=require`)
        await byPipeline.migrated
        await byPipeline.close()
        const known = { NODE_EXTRA_CA_CERTS: certificate ?? '' }
        const right = startProcess({ ...known, DATABASE_URL: `${url}=verify-full` })
        expect(await right.url).toStartWith('http')
        right.child.kill('SIGKILL')
        const elsewhere = `${url}=verify-full`.replace('localhost', '127.0.0.1')
        const { code, output } = await endOf(startProcess({ ...known, DATABASE_URL: elsewhere }))
        expect([code, output]).toEqual([1, expect.stringContaining('does not match certificate')])
      } finally {
        await cluster.remove()
      }
    },
  )

  needing('postgresql').test(
    'ends at once where the address demands TLS and the server has none',
    async () => {
      const cluster = await startPostgresCluster()
      try {
        for (const mode of ['require', 'verify-full']) {
          const { code, output } = await endOf(
            startProcess({ DATABASE_URL: `${cluster.url}?sslmode=${mode}` }),
          )
          expect([code, output]).toEqual([
            1,
            'Shipfeed cannot start: the Postgres server in DATABASE_URL does not speak TLS: turn that on there (ssl = on), or set sslmode=disable if no one can eavesdrop\n',
          ])
        }
        const { error } = await start(`${cluster.url}?sslmode=prefer`)
        expect(error).toBeNull()
      } finally {
        await cluster.remove()
      }
    },
  )

  test('needs only the rights to read and write if the schema exists, also while the database is read-only', async () => {
    expect((await start(database.url)).error).toBeNull()
    await direct.unsafe('revoke all on schema public from public')
    await direct.unsafe('revoke all on all functions in schema public from public')
    expect(String((await start(as(role))).error)).toContain('permission denied')
    await direct.unsafe(codeUnder('Rights', 'sql').replaceAll('serving', role))
    const db = await openPostgres(as(role))
    await db.migrated
    const service = await startService({}, db)
    const poster = await signUpPoster(service)
    expect((await poster.announce({ message: 'By a role that serves' })).status).toBe(201)
    await service.close()
    await db.close()
    await direct.unsafe(`alter role ${role} set default_transaction_read_only = on`)
    expect((await start(as(role))).error).toBeNull()
  })

  test('makes the settings that it needs, whatever its role sets', async () => {
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
    expect(await queryInTime<unknown>(db, read)).toEqual([{ commits: 'on' }])
    await service.close()
    await db.close()
  })

  test('is refused in one line if the encoding is not UTF-8', async () => {
    const name = `shipfeed_test_${crypto.randomUUID().replaceAll('-', '')}`
    await server.unsafe(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
    const url = new URL(database.url)
    url.pathname = `/${name}`
    const { error } = await start(url.href)
    await server.unsafe(`drop database ${name} with (force)`)
    expect(error).toBeInstanceOf(DatabaseUnusable)
    expect(String(error)).toContain('the encoding of the database in DATABASE_URL is LATIN1')
  })

  test('waits for a silent database, reports it with the cause, and continues when it answers', async () => {
    const proxy = await startFaultProxy(database.url)
    proxy.set('silent')
    const news: string[] = []
    const db = await openPostgres(proxy.url, (text) => news.push(text))
    await eventually('it says so', () => news.length > 1)
    expect(news.slice(0, 2)).toEqual([
      'Waiting for the database, which has not answered yet',
      `Waiting for the database: ${new URL(proxy.url).host} does not answer`,
    ])
    proxy.set('forward')
    await db.migrated
    expect(news.at(-1)).toBe('The database is ready')
    await db.close()
    await proxy.close()
  })

  test('that has to wait for a backup does not delay announcements, and reports what it waits for', async () => {
    const older = await openPostgres(database.url)
    await older.migrated
    const service = await startService({}, older)
    const poster = await signUpPoster(service)
    // As if the migration that drops this index had not run.
    await direct`create index deployments_old_rule on deployments (id)`
    await direct`delete from drizzle.__drizzle_migrations where id >= 3`
    const backup = await direct.reserve()
    await backup`begin`
    await backup`lock table deployments in access share mode`
    const news: string[] = []
    const newer = await openPostgres(database.url, (text) => news.push(text))
    void newer.migrated.catch(() => {})
    const why = 'Waiting for the database: another session, such as a backup or a migration, holds a lock'
    await eventually('it says so', () => news.includes(why))
    for (let n = 0; n < 10; n += 1) {
      expect((await poster.announce({ message: `During the start ${n}` })).status).toBe(201)
      await Bun.sleep(100)
    }
    await newer.close()
    await backup`commit`
    backup.release()
    await service.close()
    await older.close()
  })

  /** The address of the same database for another role. */
  function as(name: string): string {
    const url = new URL(database.url)
    url.username = name
    return url.href
  }
})

async function start(url: string, databaseListenUrl?: string): Promise<{ error: unknown }> {
  const db = await openPostgres(url, undefined, { databaseListenUrl: databaseListenUrl ?? null })
  const error = await db.migrated.then(
    () => null,
    (error: unknown) => error,
  )
  await db.close()
  return { error }
}
