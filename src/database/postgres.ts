import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import type postgres from 'postgres'
import { hearBell } from './bell.ts'
import { plannerSettings } from './connection.ts'
import type { Db, Queries } from './db.ts'
import { openClient } from './driver.ts'
import { codeOf, DatabaseUnusable, isOutage, Unavailable } from './errors.ts'
import { deadlineMs, guard, withDeadline } from './guard.ts'
import { migrationLock } from './locks.ts'
import { migrationsFolder } from './migrations.ts'

const oldestVersion = 15
const firstRetryMs = 250
const slowestRetryMs = 2_000

/** Opens a pool at once, whether the server is up or not, and migrates as soon as it answers. */
export async function openPostgres(url: string): Promise<Db> {
  let pool = openPool(url)
  const guarded = guard(() => pool.queries, replacePool)
  const closing = new AbortController()
  let ready = false
  const migrated = migrateWhenUp(url, closing.signal).then(() => {
    ready = true
  })

  return {
    migrated,
    hearBell: (ring) => hearBell(url, ring),
    async run(work) {
      if (!ready) throw new Unavailable('the database is not ready yet')
      return guarded(work)
    },
    async close() {
      closing.abort()
      await pool.client.end({ timeout: 2 })
    },
  }

  /** At once: what the driver still holds may hang, and is not to be run when nobody waits for it any more. */
  function replacePool(): void {
    if (closing.signal.aborted) return
    void pool.client.end({ timeout: 0 })
    pool = openPool(url)
  }
}

type Pool = { readonly client: postgres.Sql; readonly queries: Queries }

function openPool(url: string): Pool {
  const client = openClient(url, {
    max: 10,
    idle_timeout: 60,
    // The driver's own grows to 20 s, and so long a server that is back would stay unused.
    backoff: () => firstRetryMs / 1_000,
    connection: {
      application_name: 'shipfeed',
      // Before our own deadline: a server that is well always answers in time.
      statement_timeout: 1_800,
      // It may hold the lock of all announcements, on a connection that died without a word.
      idle_in_transaction_session_timeout: deadlineMs,
      ...plannerSettings,
    },
  })
  return {
    client,
    queries: drizzle(client, { casing: 'snake_case' }) as unknown as Queries,
  }
}

async function migrateWhenUp(url: string, closing: AbortSignal): Promise<void> {
  for (let delayMs = firstRetryMs; !closing.aborted; delayMs = Math.min(delayMs * 2, slowestRetryMs)) {
    try {
      return await migrateOnce(url)
    } catch (error) {
      if (isRefusal(error)) throw new DatabaseUnusable(`the Postgres of DATABASE_URL says: ${error.message}`)
      if (!isOutage(error)) throw error
      await Bun.sleep(delayMs)
    }
  }
}

/** SQLSTATE 28xxx and 3D000: the address names a user, a password or a database that is not right. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /^(28...|3D000)$/.test(codeOf(error) ?? '')
}

/** On a connection of its own: a migration may take longer than a statement of the pool may. */
async function migrateOnce(url: string): Promise<void> {
  const client = openClient(url, { max: 1 })
  try {
    const database = drizzle(client, { casing: 'snake_case' })
    const [server] = await withDeadline(
      client<{ version: number }[]>`select current_setting('server_version_num')::int as version`,
    )
    if (server === undefined || server.version < oldestVersion * 10_000) {
      throw new DatabaseUnusable(`DATABASE_URL needs a Postgres of version ${oldestVersion} or newer`)
    }
    await database.execute(sql`select pg_advisory_lock(${migrationLock})`)
    await migrate(database, { migrationsFolder })
  } finally {
    await client.end({ timeout: 0 })
  }
}
