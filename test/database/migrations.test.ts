import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase, query, testDatabaseUrl } from '../support/database.ts'
import { untilReady } from '../support/eventually.ts'
import { doorOf, startProcess } from '../support/process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('The migrations', () => {
  test.skipIf(testDatabaseUrl === undefined)(
    'run once when four processes start at once on a fresh Postgres (needs TEST_DATABASE_URL)',
    async () => {
      const { url, drop } = await createPostgresDatabase(testDatabaseUrl ?? '')
      const services = Array.from({ length: 4 }, () => startProcess({ DATABASE_URL: url }))
      for (const service of services) await untilReady(doorOf(await service.url))
      const db = await openPostgres(url)
      await db.migrated
      const [journal] = await query<{ run: number }>(
        db,
        sql`select count(*)::int as run from drizzle.__drizzle_migrations`,
      )
      expect(journal?.run).toBe((await migrations()).length)
      await db.close()
      for (const { child, output } of services) {
        child.kill('SIGTERM')
        expect(await child.exited).toBe(0)
        expect(output()).not.toMatch(/"stack"|cannot start/)
      }
      await drop()
    },
    60_000,
  )
})

async function migrations(): Promise<string[]> {
  return await Array.fromAsync(new Bun.Glob('*.sql').scan(join(root, 'drizzle')))
}
