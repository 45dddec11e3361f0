import type { PgTransactionConfig } from 'drizzle-orm/pg-core'
import { hearBell } from '../bell.ts'
import type { Db, Queries } from '../db.ts'
import { DatabaseUnusable, Migrating, Unavailable } from '../errors.ts'
import { guard } from '../guard.ts'
import { lengthySettings, poolSettings } from '../session-settings.ts'
import type { Tell } from '../tell.ts'
import { addressesOf } from './addresses.ts'
import { connectTo } from './connect.ts'
import { openPool } from './pool.ts'
import { startWhenUp } from './start.ts'

const poolSize = 10
const graceMs = 2_000

/**
 * Opens a pool at once, whether the server is up or not, and migrates as soon as it answers. `tell` takes
 * news for the operator, one sentence each.
 */
export async function openPostgres(url: string, tell: Tell = () => {}): Promise<Db> {
  const addresses = addressesOf(url)
  if (addresses === null) throw new DatabaseUnusable('DATABASE_URL is not a Postgres address')
  const connect = connectTo(addresses)
  const pool = openPool({ size: poolSize, tell, open: (onClose) => connect(poolSettings, { onClose }) })
  const guarded = guard(pool.run)
  const closing = new AbortController()
  let notReady: Error | null = new Unavailable('the database was not reached yet')
  const migrated = startWhenUp({
    connect,
    tell,
    closing: closing.signal,
    onWaiting(error) {
      notReady = new Unavailable('the database is not ready yet', { cause: error })
    },
    onMigrating() {
      notReady = new Migrating('the database is being migrated')
    },
  }).then(() => {
    notReady = null
  })

  return {
    migrated,
    hearBell: (ring) => hearBell(connect, ring, tell),
    async run(work) {
      if (notReady !== null) throw notReady
      return guarded(work)
    },
    snapshot: (work) => atLength(work, { isolationLevel: 'repeatable read', accessMode: 'read only' }),
    runAtLength: (work) => atLength(work, { accessMode: 'read write' }),
    async close() {
      closing.abort()
      await pool.close(graceMs)
    },
  }

  /** On a connection of its own, which may be busy for as long as it needs. */
  async function atLength<T>(
    work: (queries: Queries) => Promise<T>,
    config: PgTransactionConfig,
  ): Promise<T> {
    await migrated
    const { queries, end } = await connect(lengthySettings)
    try {
      return await queries.transaction(work, config)
    } finally {
      end()
    }
  }
}
