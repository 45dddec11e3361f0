import { bellOnce, hearBell, pollBell } from '../bell.ts'
import { type Bell, type Db, guard, type Readiness, type Report, type Run, type Work } from '../db.ts'
import { Unavailable } from '../errors.ts'
import { lengthySettings, poolSettings, type SessionSettings, snapshotSettings } from '../session-settings.ts'
import { openPool, poolSize } from './pool.ts'
import { routeTo } from './pooler.ts'
import type { Connect } from './serving-server.ts'
import { startWhenUp } from './start.ts'

const graceMs = 2_000

/** Servers that answer reads in place of the primary. */
export type Standbys = {
  start(): Promise<void>
  /** Makes the reads that they answer. `onPrimary` does what they cannot. */
  reading(onPrimary: Run): Run
  /** What all answers of the primary pass through. */
  onPrimary(run: Run): Run
  close(graceMs: number): Promise<void>
}

export type PostgresOptions = {
  readonly databaseListenUrl?: string | null
  readonly bell?: 'notify' | 'poll'
  /** Resolves when a server that this process starts accepts connections. */
  readonly started?: Promise<void>
  readonly standbys?: ((connectToPrimary: Connect, report: Report) => Standbys) | undefined
}

/** Opens a pool at once, whether the server is up or not, and migrates as soon as the server answers. */
export async function openPostgres(
  url: string,
  report: Report = () => {},
  options: PostgresOptions = {},
): Promise<Db> {
  const route = routeTo(url, options.databaseListenUrl, report)
  const pool = openPool({ ...poolSize, report, open: (onClose) => route.connect(poolSettings, { onClose }) })
  const standbys = options.standbys?.(route.direct, report)
  const onPrimary = standbys?.onPrimary(pool.run) ?? pool.run
  const readiness: Readiness = { refusal: new Unavailable('the database has not been reached yet') }
  const run = guard(onPrimary, readiness)
  const closing = new AbortController()
  const migrated = becomeReady()

  return {
    migrated,
    hearBell: (ring) => bellOnce(migrated, () => startBell(ring)),
    readPrimary: run,
    write: run,
    read: standbys === undefined ? run : guard(standbys.reading(onPrimary), readiness),
    snapshot: (work) => atLength(work, snapshotSettings),
    writeAtLength: (work) => atLength(work, lengthySettings),
    async close() {
      closing.abort()
      await Promise.all([pool.close(graceMs), standbys?.close(graceMs)])
    },
  }

  async function becomeReady(): Promise<void> {
    const onNotReady = (error: Unavailable) => {
      readiness.refusal = error
    }
    await options.started
    await startWhenUp({ route, report, closing: closing.signal, onNotReady })
    await standbys?.start()
    readiness.refusal = null
  }

  function startBell(ring: () => void): Bell {
    const isChosen = options.bell === 'poll'
    if (route.isShared) {
      const isForced = !isChosen && !route.hasSession
      const consequence = isForced ? ': without DATABASE_LISTEN_URL, live feeds poll four times a second' : ''
      report(`DATABASE_URL leads to a pooler${consequence}`, 'database_shared')
    }
    return isChosen || !route.hasSession ? pollBell(ring) : hearBell(route.direct, ring, report)
  }

  async function atLength<T>(work: Work<T>, settings: SessionSettings): Promise<T> {
    await migrated
    using connection = await route.direct(settings)
    return await connection.queries.transaction(work)
  }
}
