import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type Queries, rowsOf } from '../../src/database/db.ts'
import { DatabaseUnusable } from '../../src/database/errors.ts'
import {
  inOurMigrations,
  isMigrated,
  migrate,
  onlyAdd,
  schemaState,
  seenMigrations,
} from '../../src/database/migrations.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase, query, useBareDatabase } from '../support/database.ts'
import { untilReady } from '../support/eventually.ts'
import { doorOf, startProcess } from '../support/process.ts'
import { formerHashes, makeDatabaseOf110, makeFormerDatabase } from '../support/release/former.ts'

const names = [
  ...['0000_baseline', '0001_publishers_fields_search', '0002_links_and_days'],
  ...['0003_history_days', '0004_user_stamps', '0005_webhooks'],
  ...['0006_verified_announcements', '0007_named_tokens', '0008_intakes'],
  '0009_read_keys',
  '0010_reports',
  '0011_served_at',
  '0012_service_settings',
  '0013_releases',
]

test('The migrations run once when four processes start at once on a fresh Postgres', async () => {
  const { url, drop } = await createPostgresDatabase()
  const services = Array.from({ length: 4 }, () => startProcess({ DATABASE_URL: url }))
  for (const service of services) await untilReady(doorOf(await service.url))
  const db = await openPostgres(url)
  await db.migrated
  const [journal] = await query<{ run: number }>(
    db,
    sql`select count(*)::int as run from drizzle.__drizzle_migrations`,
  )
  expect(journal?.run).toBe(names.length)
  await db.close()
  for (const { child, output } of services) {
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(output()).not.toMatch(/"stack"|cannot start/)
  }
  await drop()
})

describe('A database', () => {
  test('without a schema gets one', async () => {
    await using bare = await useBareDatabase()
    expect(await schemaState(bare.queries)).toBe('none')
    await migrate(bare.queries)
    expect(await schemaState(bare.queries)).toBe('same')
    expect(await seenMigrations(bare.queries)).toHaveLength(names.length)
  })

  test('of version 1.0.0 is migrated in place, and nothing is lost', async () => {
    await using bare = await useBareDatabase()
    const { queries } = bare
    await queries.transaction((transaction) => makeFormerDatabase(transaction, 12))
    await fill(queries)
    const before = await rowsIn(queries, 'deployments')
    expect(await schemaState(queries)).toBe('older')

    await migrate(queries)
    expect(await schemaState(queries)).toBe('same')
    expect(await seenMigrations(queries)).toEqual(await freshJournal())
    expect(await rowsIn(queries, 'deployments')).toEqual(before)
    expect(
      await rowsOf(
        queries,
        sql`select target, day::text as day, deployments from target_days order by target, day`,
      ),
    ).toEqual([
      { target: 'a.example', day: '2026-03-12', deployments: 2 },
      { target: 'a.example', day: '2026-03-13', deployments: 1 },
      { target: 'b.example', day: '2026-03-13', deployments: 1 },
    ])
    const [recorded] = await rowsOf<{ results: unknown }>(
      queries,
      sql`select announce('[{"token_hash": "?"}]', 0, 3::smallint)::jsonb -> 'results' as results`,
    )
    expect(recorded?.results).toEqual([{ outcome: 'unauthorized' }])
    // Another run changes nothing.
    await migrate(queries)
    expect(await seenMigrations(queries)).toEqual(await freshJournal())
  })

  test('of version 1.1.0 is migrated in place', async () => {
    await using bare = await useBareDatabase()
    const { queries } = bare
    await queries.transaction((transaction) => makeDatabaseOf110(transaction))
    expect(await schemaState(queries)).toBe('older')
    await migrate(queries)
    expect(await schemaState(queries)).toBe('same')
    expect(await seenMigrations(queries)).toEqual(await freshJournal())
  })

  test.each([
    ['from before version 1.0.0', 11],
    ['of version 0.1.0', 9],
    ['of an unreleased revision', 13],
  ])('%s is refused in one line, and stays as it is', async (_, last) => {
    await using bare = await useBareDatabase()
    await bare.queries.transaction((transaction) => makeFormerDatabase(transaction, last))
    const error = await migrate(bare.queries).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(DatabaseUnusable)
    expect((error as Error).message).toBe(
      'this version cannot migrate the database: if the database is from before Shipfeed 1.0.0, start version 1.0.0 on it once, and then this version; if the database is from an unreleased revision, restore a backup that a released version made',
    )
    expect(await seenMigrations(bare.queries)).toEqual(formerHashes(last))
    expect(await schemaState(bare.queries)).toBe('ancient')
    expect(await isMigrated(bare.queries)).toBeFalse()
  })

  test('of a newer release is left as it is', async () => {
    await using bare = await useBareDatabase()
    await migrate(bare.queries)
    await bare.queries.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9000000000000)`,
    )
    expect(await isMigrated(bare.queries)).toBeTrue()
    expect(await schemaState(bare.queries)).toBe('newer')
  })
})

test('All migrations since version 1.0.0 only add, so its dumps can be restored', async () => {
  const journal = await freshJournal()
  expect(inOurMigrations(formerHashes(12))).toEqual(journal.slice(0, 1))
  expect(onlyAdd(journal)).toBeTrue()
  expect(onlyAdd(['of no file'])).toBeFalse()
})

async function freshJournal(): Promise<string[]> {
  return await Promise.all(
    names.map(async (name) => {
      const text = await Bun.file(new URL(`../../drizzle/${name}.sql`, import.meta.url)).text()
      return new Bun.CryptoHasher('sha256').update(text).digest('hex')
    }),
  )
}

async function fill(queries: Queries): Promise<void> {
  await queries.execute(sql`insert into users (username, name, password_hash) values ('ada', 'Ada', '')`)
  await queries.execute(sql`
    insert into deployments (user_id, message, scopes, target, deployed_at) values
      (1, 'A', '{}', 'a.example', '2026-03-12T00:00:00Z'), (1, 'B', '{}', 'a.example', '2026-03-12T23:59:59Z'),
      (1, 'C', '{}', 'a.example', '2026-03-13T00:00:00Z'), (1, 'D', '{}', 'b.example', '2026-03-13T12:00:00Z'),
      (1, 'E', '{}', null, '2026-03-13T12:00:00Z')`)
}

async function rowsIn(queries: Queries, table: string): Promise<readonly unknown[]> {
  return await rowsOf(
    queries,
    sql`select id, user_id, message, target, deployed_at from ${sql.identifier(table)} order by id`,
  )
}
