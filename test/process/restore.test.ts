import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase, openTestDatabase, query } from '../support/database.ts'
import { dumpOf } from '../support/dump/dumps.ts'
import { fillTables } from '../support/dump/rows.ts'
import { endOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
const file = join(directory.path, 'shipfeed.dump')
beforeAll(async () => {
  const db = await openTestDatabase()
  await fillTables(db, 3)
  await query(db, sql`update webhooks set paused_at = null, paused_because = null`)
  await Bun.write(file, await dumpOf(db))
  await db.close()
})
afterAll(directory.remove)

const restore = (environment: Record<string, string>, ...words: string[]) =>
  endOf(startProcess(environment, 'src/main.ts', 'restore', ...words, file))

test('a folder that is not there is refused, because the service would not use it', async () => {
  const dataDir = join(directory.path, 'misspelt')
  expect(await restore({ DATA_DIR: dataDir })).toEqual({
    code: 1,
    output: `Shipfeed restore: there is no folder "${dataDir}": set the DATABASE_URL or DATA_DIR of the service, or make that folder for its user\n`,
  })
  expect(existsSync(dataDir)).toBe(false)
})

test.each([
  [[], /DATABASE_URL\nIts webhooks \(\d+\) are paused, and their owners can resume them\n$/],
  [['--moved'], /into the Postgres server in DATABASE_URL\n$/],
])(
  'after "restore" with %j, it says which database has it now, and what of webhooks',
  async (words, says) => {
    const { url, drop } = await createPostgresDatabase()
    expect(await restore({ DATABASE_URL: url }, ...words)).toEqual({
      code: 0,
      output: expect.stringMatching(says),
    })
    const db = await openPostgres(url)
    await db.migrated
    const asked = sql`select count(*)::int as going from webhooks where paused_because is null`
    const [row] = await query<{ going: number }>(db, asked)
    expect((row?.going ?? 0) > 0).toBe(words.length > 0)
    await db.close()
    await drop()
  },
)

test('a start on another Postgres says that the database in DATA_DIR is not used', async () => {
  const dataDir = join(directory.path, 'local')
  mkdirSync(dataDir)
  expect(await restore({ DATA_DIR: dataDir })).toMatchObject({ code: 0 })
  const { url, drop } = await createPostgresDatabase()
  const service = startProcess({ DATABASE_URL: url, DATA_DIR: dataDir })
  await service.url
  service.child.kill('SIGTERM')
  const { output } = await endOf(service)
  expect(output).toContain(`"The database in ${dataDir} is not used, because DATABASE_URL is set"`)
  await drop()
})
