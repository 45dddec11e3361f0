import { sql } from 'drizzle-orm'
import { deadlineMs, oneRowOf, type Queries, type Report, settleBy } from '../db.ts'
import {
  DatabaseUnusable,
  damageIn,
  isLocked,
  isOutage,
  isReadOnly,
  Migrating,
  messageOf,
  refusalBy,
  Unavailable,
} from '../errors.ts'
import { feedSequence } from '../locks.ts'
import { isMigrated, migrate } from '../migrations.ts'
import { migrationSettings } from '../session-settings.ts'
import type { Connection } from './connection.ts'
import type { Route } from './pooler.ts'

const oldestVersion = 15

const firstRetryMs = 250
const slowestRetryMs = 2_000
const reportEveryMs = 5_000
const slowMs = 1_000

type Options = {
  readonly route: Route
  readonly report: Report
  /** Until the database is ready, queries get this error. */
  readonly onNotReady: (error: Unavailable) => void
  readonly closing: AbortSignal
}

/** Tries again while waiting may help, and otherwise rejects. Also resolves when `closing` is aborted. */
export async function startWhenUp({ route, report, onNotReady, closing }: Options): Promise<void> {
  let isWaiting = false
  let reportedAt = Number.NEGATIVE_INFINITY
  const slow = setTimeout(() => {
    isWaiting = true
    report('Waiting for the database, which has not answered yet', 'database_waiting')
  }, slowMs)
  for (let delayMs = firstRetryMs; !closing.aborted; delayMs = Math.min(delayMs * 2, slowestRetryMs)) {
    try {
      await start()
      if (isWaiting) report('The database is ready', 'database_ready')
      return
    } catch (error) {
      clearTimeout(slow)
      const refusal = refusalBy(route.settings, error)
      if (refusal !== null) throw refusal
      const fatal = damageIn(error) ?? (isOutage(error) ? null : error)
      if (fatal !== null) throw fatal
      onNotReady(new Unavailable('the database is not ready yet', { cause: error }))
      if (performance.now() - reportedAt > reportEveryMs) {
        isWaiting = true
        reportedAt = performance.now()
        const cause = isLocked(error)
          ? 'another session, such as a backup or a migration, holds a lock'
          : messageOf(error)
        report(`Waiting for the database: ${cause}`, 'database_waiting')
      }
      await Bun.sleep(delayMs)
    }
  }

  async function start(): Promise<void> {
    await route.find()
    using connection = await route.direct(migrationSettings)
    const inTime = <T>(work: Promise<T>) => settleBy(performance.now() + deadlineMs, work)
    const { isDurable } = await checkServer(connection)
    if (!isDurable) {
      report('Postgres has fsync = off: a crash may lose acknowledged announcements', 'database_unsafe')
    }
    const hasSchema = await inTime(isMigrated(connection.queries))
    clearTimeout(slow)
    if (!hasSchema) {
      onNotReady(new Migrating('the database is being migrated'))
      await migrateAndReport(connection.queries, report)
    }
    await inTime(checkOrderOfIds(connection.queries)).catch((error: unknown) => {
      if (!isReadOnly(error)) throw error
    })
  }
}

export async function checkServer({ queries }: Connection): Promise<{ readonly isDurable: boolean }> {
  const asked = sql`
    select current_setting('server_version_num')::int as version, getdatabaseencoding() as encoding,
      current_setting('fsync') = 'on' as "isDurable"`
  const facts = oneRowOf<{ version: number; encoding: string; isDurable: boolean }>(queries, asked)
  const { version, encoding, isDurable } = await settleBy(performance.now() + deadlineMs, facts)
  if (version < oldestVersion * 10_000) {
    throw new DatabaseUnusable(
      `the Postgres server in DATABASE_URL is too old: Shipfeed needs version ${oldestVersion} or newer`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new DatabaseUnusable(
      `the encoding of the database in DATABASE_URL is ${encoding}: create another database with "create database … template template0 encoding 'UTF8' locale 'C.UTF-8'", and set DATABASE_URL to its address`,
    )
  }
  return { isDurable }
}

/**
 * Refuses a sequence that caches ids, as YugabyteDB's does by default: live feeds would miss events
 * (docs/scaling.md#engines). With a cache, a draw moves the sequence's last value past the drawn id, so the next id
 * is not above that last value. Draws three, because with a cache of two, only every other comparison shows this.
 */
async function checkOrderOfIds(queries: Queries): Promise<void> {
  // It is harmless if a crash loses these ids, so a start does not wait for a standby that is down.
  const draw = sql.raw(`
    select nextval('${feedSequence}')::text as id, pg_sequence_last_value('${feedSequence}')::text as last,
      set_config('synchronous_commit', 'local', true)`)
  let lastGiven = 0n
  for (let n = 0; n < 3; n += 1) {
    const { id, last } = await oneRowOf<{ id: string; last: string }>(queries, draw)
    if (BigInt(id) <= lastGiven) {
      throw new DatabaseUnusable(
        `the database in DATABASE_URL gives ids out of order: run "alter sequence ${feedSequence} cache 1", and turn off sequence caches in the server (docs/scaling.md#engines)`,
      )
    }
    lastGiven = BigInt(last)
  }
}

async function migrateAndReport(queries: Queries, report: Report): Promise<void> {
  const startedAt = performance.now()
  const slow = setTimeout(() => report('Migrating the database', 'database_migrating'), slowMs)
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    report(`Shipfeed has been migrating the database for ${seconds} s`, 'database_migrating')
  }, reportEveryMs)
  try {
    await migrate(queries)
  } finally {
    clearTimeout(slow)
    clearInterval(timer)
  }
}
