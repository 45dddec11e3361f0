import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { feedLock } from '../../../src/database/locks.ts'
import { openPostgres } from '../../../src/database/postgres/open.ts'
import { createPostgresDatabase } from '../../support/database.ts'
import { startFaultProxy } from '../../support/postgres/fault-proxy.ts'

describe('A start', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let direct: postgres.Sql
  beforeAll(async () => {
    database = await createPostgresDatabase()
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

  // By default, each connection to YugabyteDB caches the next 100 ids.
  test.each([2, 3, 20])('is refused if each connection caches %i ids, and says what to do', async (cache) => {
    await direct.unsafe(`alter sequence deployments_id_seq cache ${cache}`)
    const refusal = await start(database.url)
    expect(refusal).toContain('gives ids out of order: run "alter sequence deployments_id_seq cache 1"')
    expect(refusal).not.toContain('\n')
  })

  test('does not wait for announcements, nor for other starts', async () => {
    const busy = await direct.reserve()
    await busy`select pg_advisory_lock(${feedLock})`
    expect(await Promise.all([1, 2, 3, 4].map(() => start(database.url)))).toEqual(Array(4).fill('started'))
    await busy`select pg_advisory_unlock(${feedLock})`
    busy.release()
  })

  test('succeeds with a database that is 200 ms away', async () => {
    const proxy = await startFaultProxy(database.url)
    proxy.set('far-away')
    expect(await start(proxy.url)).toBe('started')
    await proxy.close()
  })
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
