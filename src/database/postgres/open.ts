import { bellOnce, hearBell, pollBell } from '../bell.ts'
import type { Bell, Db, Queries } from '../db.ts'
import { Migrating, Unavailable } from '../errors.ts'
import { guard } from '../guard.ts'
import { lengthySettings, poolSettings, snapshotSettings } from '../session-settings.ts'
import type { Tell } from '../tell.ts'
import { openPool } from './pool.ts'
import { routeTo } from './route.ts'
import { type ServerWays, standbysOf } from './standbys/ways.ts'
import { startWhenUp } from './start.ts'

const poolSize = 10
const graceMs = 2_000

/** Other ways to the database of an address, and how it is used (docs/operations.md#beyond-one-machine). */
export type Ways = ServerWays & { readonly bell?: 'notify' | 'poll' }

/**
 * Opens a pool at once, whether the server is up or not, and migrates as soon as it answers. `tell` takes
 * news for the operator, one sentence each.
 */
export async function openPostgres(url: string, tell: Tell = () => {}, ways: Ways = {}): Promise<Db> {
  const route = routeTo(url, ways.databaseListenUrl, tell)
  const pool = openPool({ size: poolSize, tell, open: (onClose) => route.connect(poolSettings, { onClose }) })
  const standbys = standbysOf(ways, route.direct, tell)
  const onPrimary = standbys?.onPrimary(pool.run) ?? pool.run
  const run = whenReady(guard(onPrimary))
  const closing = new AbortController()
  let notReady: Error | null = new Unavailable('the database was not reached yet')
  const migrated = startWhenUp({
    route,
    tell,
    closing: closing.signal,
    onWaiting(error) {
      notReady = new Unavailable('the database is not ready yet', { cause: error })
    },
    onMigrating() {
      notReady = new Migrating('the database is being migrated')
    },
  }).then(async () => {
    await standbys?.start()
    notReady = null
  })

  return {
    migrated,
    hearBell: (ring) => bellOnce(migrated, () => hangBell(ring)),
    run,
    read: standbys === null ? run : whenReady(guard(standbys.reading(onPrimary))),
    ...(standbys === null ? {} : { standbysRead: () => standbys.count }),
    snapshot: (work) => atLength(work, snapshotSettings),
    runAtLength: (work) => atLength(work, lengthySettings),
    async close() {
      closing.abort()
      await Promise.all([pool.close(graceMs), standbys?.close(graceMs)])
    },
  }

  function whenReady(guarded: Db['run']): Db['run'] {
    return async <T>(work: (queries: Queries) => Promise<T>): Promise<T> => {
      if (notReady !== null) throw notReady
      return guarded(work)
    }
  }

  function hangBell(ring: () => void): Bell {
    const polls = ways.bell === 'poll' || !route.hasSession
    if (route.isShared) {
      const news = 'DATABASE_URL leads to a pooler that shares connections'
      const but = ': without DATABASE_LISTEN_URL, live feeds look four times a second'
      tell(`${news}${polls ? but : ''}`, 'database_shared')
    }
    return polls ? pollBell(ring) : hearBell(route.direct, ring, tell)
  }

  /** On a connection of its own, which may be busy for as long as it needs. */
  async function atLength<T>(
    work: (queries: Queries) => Promise<T>,
    settings: typeof lengthySettings | typeof snapshotSettings,
  ): Promise<T> {
    await migrated
    const { queries, end } = await route.direct(settings)
    try {
      return await queries.transaction(work)
    } finally {
      end()
    }
  }
}
