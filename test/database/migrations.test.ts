import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { openPostgres } from '../../src/database/postgres.ts'
import { createPostgresDatabase, testDatabaseUrl } from '../support/database.ts'
import { startProcess } from '../support/process.ts'
import { query } from '../support/query.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('The migrations', () => {
  test.skipIf(testDatabaseUrl === undefined)(
    'run once when four processes start at once on a fresh Postgres (needs TEST_DATABASE_URL)',
    async () => {
      const { url, drop } = await createPostgresDatabase(testDatabaseUrl ?? '')
      const services = Array.from({ length: 4 }, () => startProcess({ DATABASE_URL: url }))
      for (const service of services) await untilReady(await service.url)
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
        expect(output()).not.toMatch(/error/i)
      }
      await drop()
    },
    30_000,
  )
})

async function migrations(): Promise<string[]> {
  return await Array.fromAsync(new Bun.Glob('*.sql').scan(join(root, 'drizzle')))
}

async function untilReady(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== 200) await Bun.sleep(50)
}
