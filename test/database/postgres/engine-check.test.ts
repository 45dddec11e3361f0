import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { DatabaseUnusable } from '../../../src/database/errors.ts'
import { feedLock } from '../../../src/database/locks.ts'
import { addressesOf } from '../../../src/database/postgres/addresses.ts'
import { connectTo } from '../../../src/database/postgres/connect.ts'
import type { Connection } from '../../../src/database/postgres/connection.ts'
import { checkEngine } from '../../../src/database/postgres/engine-check.ts'
import { openPostgres } from '../../../src/database/postgres/open.ts'
import { poolSettings } from '../../../src/database/session-settings.ts'
import { createPostgresDatabase, testDatabaseUrl } from '../../support/database.ts'
import { startFaultProxy } from '../../support/postgres/fault-proxy.ts'

describe.skipIf(testDatabaseUrl === undefined)('A start on an engine (needs TEST_DATABASE_URL)', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let direct: postgres.Sql
  beforeAll(async () => {
    database = await createPostgresDatabase(testDatabaseUrl ?? '')
    direct = postgres(database.url, { max: 2, onnotice: () => {} })
    expect(await start(database.url)).toBe('started')
  })
  beforeEach(async () => {
    await direct.unsafe('alter sequence deployments_id_seq cache 1')
  })
  afterAll(async () => {
    await direct.end()
    await database.drop()
  })

  // As YugabyteDB does by default, in which a connection has the next 100 in store.
  test.each([2, 20])(
    'whose connections have %i ids in store is refused, and says what to do',
    async (cache) => {
      await direct.unsafe(`alter sequence deployments_id_seq cache ${cache}`)
      const refusal = await start(database.url)
      expect(refusal).toContain('gives ids out of order: "alter sequence deployments_id_seq cache 1"')
      expect(refusal).not.toContain('\n')
    },
  )

  // As Postgres itself does where nobody asks for READ COMMITTED.
  test('that shows a statement what its transaction first saw is refused', async () => {
    const [first, second] = await connections()
    await first.queries.execute(`set default_transaction_isolation = 'repeatable read'`)
    const refusal = await checkEngine(first, second).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(DatabaseUnusable)
    expect(String(refusal)).toContain('READ COMMITTED')
    for (const connection of [first, second]) connection.end()
  })

  // A function of that name stands in for the one that CockroachDB has, which does nothing.
  test('whose locks keep nobody out is refused', async () => {
    await direct.unsafe(`
      create schema engine;
      create function engine.pg_advisory_xact_lock(int, int) returns void language sql as ''`)
    const [first, second] = await connections()
    await first.queries.execute('set search_path = engine, pg_catalog, public')
    expect(String(await checkEngine(first, second).catch((error: unknown) => error))).toContain(
      'advisory locks that keep nobody out',
    )
    for (const connection of [first, second]) connection.end()
  })

  test('without NOTIFY is refused', async () => {
    await direct.unsafe(`
      create function engine.pg_notify(text, text) returns void language plpgsql
      as $$ begin raise feature_not_supported using message = 'NOTIFY is off'; end $$;
      drop function engine.pg_advisory_xact_lock`)
    const [first, second] = await connections()
    await first.queries.execute('set search_path = engine, pg_catalog, public')
    const refusal = await checkEngine(first, second).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(DatabaseUnusable)
    expect(String(refusal)).toEndWith('lacks what we need: NOTIFY is off')
    for (const connection of [first, second]) connection.end()
  })

  test('leaves no row, and waits for nobody who announces', async () => {
    const busy = await direct.reserve()
    await busy`select pg_advisory_lock(${feedLock})`
    expect(await Promise.all([1, 2, 3, 4].map(() => start(database.url)))).toEqual(Array(4).fill('started'))
    await busy`select pg_advisory_unlock(${feedLock})`
    busy.release()
    expect(await direct`select from used_jtis`).toHaveLength(0)
  })

  test('200 ms away goes on', async () => {
    const proxy = await startFaultProxy(database.url)
    proxy.set('far-away')
    expect(await start(proxy.url)).toBe('started')
    await proxy.close()
  }, 60_000)

  async function connections(): Promise<[Connection, Connection]> {
    const connect = connectTo(addressesOf(database.url) ?? [])
    return await Promise.all([connect(poolSettings), connect(poolSettings)])
  }
})

async function start(url: string): Promise<string> {
  const db = await openPostgres(url)
  const outcome = await db.migrated.then(
    () => 'started',
    (error: unknown) => String(error),
  )
  await db.close()
  return outcome
}
