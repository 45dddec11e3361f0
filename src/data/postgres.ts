import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import type { Db, Queries } from './database.ts'
import { guard } from './guard.ts'
import { migrationsFolder } from './migrations.ts'
import * as schema from './schema.ts'
import { isOutage, Unavailable } from './unavailable.ts'

const oldestVersion = 15
const migrationLock = 7_305_001
const firstRetryMs = 250
const slowestRetryMs = 5_000

/** Opens a pool at once, whether the server is up or not, and migrates as soon as it answers. */
export async function openPostgres(url: string): Promise<Db> {
  const client = postgres(url, {
    max: 10,
    connect_timeout: 5,
    onnotice: () => {},
    connection: {
      application_name: 'shipfeed',
      statement_timeout: 2_000,
      idle_in_transaction_session_timeout: 5_000,
    },
  })
  const closing = new AbortController()
  const guarded = guard(drizzle(client, { schema, casing: 'snake_case' }) as unknown as Queries)
  let ready = false
  const migrated = migrateWhenUp(url, closing.signal).then(() => {
    ready = true
  })

  return {
    migrated,
    async run(work) {
      if (!ready) throw new Unavailable('the database is not ready yet')
      return guarded(work)
    },
    async close() {
      closing.abort()
      await client.end({ timeout: 2 })
    },
  }
}

async function migrateWhenUp(url: string, closing: AbortSignal): Promise<void> {
  for (let delayMs = firstRetryMs; !closing.aborted; delayMs = Math.min(delayMs * 2, slowestRetryMs)) {
    try {
      return await migrateOnce(url)
    } catch (error) {
      if (!isOutage(error)) throw error
      await Bun.sleep(delayMs)
    }
  }
}

/** On a connection of its own: a migration may take longer than a statement of the pool may. */
async function migrateOnce(url: string): Promise<void> {
  const client = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    const database = drizzle(client, { casing: 'snake_case' })
    const [server] = await client<
      { version: number }[]
    >`select current_setting('server_version_num')::int as version`
    if (server === undefined || server.version < oldestVersion * 10_000) {
      throw new Error(`Postgres ${oldestVersion} or newer is needed`)
    }
    await database.execute(sql`select pg_advisory_lock(${migrationLock})`)
    await migrate(database, { migrationsFolder })
  } finally {
    await client.end({ timeout: 2 })
  }
}
