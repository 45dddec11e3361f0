import { sql } from 'drizzle-orm'
import { codeOf, DatabaseUnusable, isOutage, messageOf } from '../errors.ts'
import { before, deadlineMs } from '../guard.ts'
import { isMigrated, migrate } from '../migrations.ts'
import { migrationSettings, poolSettings } from '../session-settings.ts'
import { rowsOf } from '../sql.ts'
import type { Tell } from '../tell.ts'
import type { Connect } from './connect.ts'
import type { Connection } from './connection.ts'
import { checkEngine } from './engine-check.ts'
import type { Route } from './route.ts'
import { checkServer } from './server-check.ts'

const firstRetryMs = 250
const slowestRetryMs = 2_000
const tellEveryMs = 5_000
const slowMs = 1_000

type Options = {
  readonly route: Route
  readonly tell: Tell
  /** Called after each attempt that failed. */
  readonly onWaiting: (error: unknown) => void
  /** Called before migrations run. */
  readonly onMigrating: () => void
  readonly closing: AbortSignal
}

/**
 * Checks that we can use a Postgres and migrates it, as soon as it answers. Goes on trying while waiting may
 * help; rejects with DatabaseUnusable if it cannot.
 */
export async function startWhenUp({ route, tell, onWaiting, onMigrating, closing }: Options): Promise<void> {
  let isWaiting = false
  let toldAt = Number.NEGATIVE_INFINITY
  const slow = setTimeout(() => {
    isWaiting = true
    tell('Shipfeed waits for the database, which has not answered yet', 'database_waiting')
  }, slowMs)
  for (let delayMs = firstRetryMs; !closing.aborted; delayMs = Math.min(delayMs * 2, slowestRetryMs)) {
    try {
      await start(route, { tell, onAnswer: () => clearTimeout(slow), onMigrating })
      if (isWaiting) tell('The database is ready', 'database_ready')
      return
    } catch (error) {
      clearTimeout(slow)
      if (isRefusal(error))
        throw new DatabaseUnusable(`the Postgres of DATABASE_URL says: ${messageOf(error)}`)
      if (error instanceof DatabaseUnusable || !isOutage(error)) throw error
      onWaiting(error)
      if (performance.now() - toldAt > tellEveryMs) {
        isWaiting = true
        toldAt = performance.now()
        tell(`Shipfeed waits for the database: ${messageOf(error)}`, 'database_waiting')
      }
      await Bun.sleep(delayMs)
    }
  }
}

/** SQLSTATE 28xxx, 3D000 and 42501: a user, a password, a database or a right is missing. */
function isRefusal(error: unknown): boolean {
  return /^(28...|3D000|42501)$/.test(codeOf(error) ?? '')
}

type Telling = Pick<Options, 'tell' | 'onMigrating'> & { readonly onAnswer: () => void }

async function start(route: Route, { tell, onAnswer, onMigrating }: Telling): Promise<void> {
  await route.find()
  const connection = await route.direct(migrationSettings)
  const inTime = <T>(work: Promise<T>) => before(performance.now() + deadlineMs, work, connection.end)
  try {
    const server = await checkServer(connection)
    if (server.fsync === 'off') {
      tell('Postgres has fsync = off: a crash may lose what was acknowledged', 'database_unsafe')
    }
    const hasSchema = await inTime(isMigrated(connection.queries))
    onAnswer()
    if (!hasSchema) {
      onMigrating()
      await watched(route.direct, connection, tell)
    }
    const other = await route.connect(poolSettings)
    await checkEngine(connection, other).finally(other.end)
  } finally {
    connection.end()
  }
}

/**
 * Migrates, which may take long, and says so after a second and then every few. Ends a connection that died
 * without a word meanwhile: the server then knows no such session.
 */
async function watched(connect: Connect, { queries, end }: Connection, tell: Tell): Promise<void> {
  const startedAt = performance.now()
  let pid: number | null = null
  const slow = setTimeout(() => tell('Shipfeed migrates the database', 'database_migrating'), slowMs)
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    tell(`Shipfeed migrates the database, since ${seconds} s`, 'database_migrating')
    if (pid === null) return
    void hasSession(connect, pid).then(
      (has) => has || end(),
      () => {},
    )
  }, tellEveryMs)
  try {
    await migrate(queries, (begun) => {
      pid = begun
    })
  } finally {
    clearTimeout(slow)
    clearInterval(timer)
  }
}

async function hasSession(connect: Connect, pid: number): Promise<boolean> {
  const { queries, end } = await connect(poolSettings)
  try {
    return (await rowsOf(queries, sql`select from pg_stat_activity where pid = ${pid}`)).length > 0
  } finally {
    end()
  }
}
