import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { query } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { type PostgresCluster, startPostgresCluster } from '../support/postgres/cluster.ts'
import { doorOf, endOf, type Process, startProcess, temporaryDirectory } from '../support/process.ts'

describe('When half of the file of a table is cut off (needs TEST_DATABASE_URL and the programs of Postgres)', () => {
  let cluster: PostgresCluster
  let service: Process
  const directory = temporaryDirectory()
  const environment = () => ({ DATABASE_URL: cluster.url })

  beforeAll(async () => {
    cluster = await startPostgresCluster()
    const db = await openPostgres(cluster.url)
    await db.migrated
    await query(
      db,
      sql`
          insert into users (username, name, password_hash) select 'u' || n, 'U', 'x' from generate_series(1, 20) n`,
    )
    await query(
      db,
      sql`
          insert into deployments (user_id, message, scopes, deployed_at)
          select 1 + n % 20, repeat('x', 100) || n, '{""}', now() from generate_series(1, 3000) n`,
    )
    await query(db, sql`insert into latest_deployments values (2, '', now())`)
    const [file] = await query<{ path: string }>(
      db,
      sql`select pg_relation_filepath('deployments') as path from pg_stat_activity limit 1`,
    )
    await db.close()
    await cluster.stop('fast')
    const path = join(cluster.socketFolder, file?.path ?? '')
    truncateSync(path, (statSync(path).size / 8192 / 2) * 8192)
    await cluster.start()
    service = startProcess(environment())
    await service.url
  })
  afterAll(async () => {
    service.child.kill('SIGKILL')
    await cluster.remove()
    directory.remove()
  })

  test('it is not ready, lists are 503, badges that do not need it go on, and the log says what to do', async () => {
    const door = doorOf(await service.url)
    await eventually('it is not ready', async () => {
      const ready = await door.fetch('/readyz')
      return (await ready.text()) === 'not ready: damage\n' && ready.status === 503
    })
    expect((await door.fetch('/')).status).toBe(503)
    expect(await (await door.fetch('/status')).text()).toContain('Damaged')
    expect(await (await door.fetch('/badge/u2.json')).json()).toMatchObject({ message: 'Fresh' })
    await eventually('it is logged', () => service.output().includes('database_damaged'))
    expect(service.output()).toMatch(/could not read block.*restore a backup/)
    expect(service.output()).not.toContain('"event":"fault"')
  })

  test.each([
    [
      'check',
      () => startProcess(environment(), 'src/main.ts', 'check'),
      /^WRONG {2}database .*restore a backup$/m,
    ],
    [
      'a dump',
      () => startProcess(environment(), 'src/main.ts', 'dump', join(directory.path, 'dump')),
      /^Shipfeed dump: the database is damaged .*restore a backup$/m,
    ],
  ])('%s says so in one line', async (_, start, line) => {
    const { code, output } = await endOf(start())
    expect(output).toMatch(line)
    expect(output).not.toMatch(/^ +at /m)
    expect(code).toBe(1)
  })
})
