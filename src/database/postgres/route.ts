import { sql } from 'drizzle-orm'
import { deadlineMs, oneRowOf, type Report, settleBy } from '../db.ts'
import { DatabaseUnusable, refusalBy } from '../errors.ts'
import { poolSettings } from '../session-settings.ts'
import { addressesIn, reportPlain } from './addresses.ts'
import type { Connection } from './connection.ts'
import { type Connect, connectTo } from './serving-server.ts'

export type Route = ReturnType<typeof routeTo>

/**
 * How a database is reached (docs/scaling.md#poolers). Throws DatabaseUnusable if `url` or `listenUrl` is not a
 * Postgres address.
 */
export function routeTo(url: string, listenUrl: string | null = null, report: Report = () => {}) {
  const onMoved = (name: string) => report(`Shipfeed now uses the database server ${name}`, 'database_moved')
  const dial = connectIn('DATABASE_URL', url, report, onMoved)
  const dialDirect = listenUrl === null ? null : connectIn('DATABASE_LISTEN_URL', listenUrl, report)
  let isShared = true
  const connect: Connect = (settings, options) => dial(settings, { ...options, isShared })
  return {
    /** The settings that lead to this database, as messages name them. */
    settings: settingsWith(listenUrl),
    /** Connects via DATABASE_URL, perhaps through a pooler. */
    connect,
    /** For work that needs a session or takes long. Connects via DATABASE_LISTEN_URL if set, else like `connect`. */
    direct: dialDirect ?? connect,
    /** Whether DATABASE_URL leads to a pooler, which may share connections. Assumed to be so until `find` resolves. */
    get isShared() {
      return isShared
    },
    /** Whether `direct` gives a session, without which NOTIFY cannot be heard. */
    get hasSession() {
      return dialDirect !== null || !isShared
    },
    /**
     * Finds out whether there is a pooler. Rejects with DatabaseUnusable if DATABASE_LISTEN_URL cannot be used, or with
     * the server's error.
     */
    async find(): Promise<void> {
      isShared = await isPooler(dial)
      if (dialDirect === null) return
      const isDirectPooler = await isPooler(dialDirect).catch((error) => {
        throw refusalBy('DATABASE_LISTEN_URL', error) ?? error
      })
      if (isDirectPooler) {
        throw new DatabaseUnusable(
          'DATABASE_LISTEN_URL leads to a pooler: set it to the address of Postgres itself, or unset it',
        )
      }
      if (!(await leadToSame(connect, dialDirect))) {
        throw new DatabaseUnusable(
          'DATABASE_LISTEN_URL leads to a different database than DATABASE_URL: set both to the same one, or unset DATABASE_LISTEN_URL',
        )
      }
    },
  }
}

/** The settings that lead to the primary, as messages name them. Takes DATABASE_LISTEN_URL, or null. */
export function settingsWith(listenUrl: string | null): string {
  return listenUrl === null ? 'DATABASE_URL' : 'DATABASE_URL and DATABASE_LISTEN_URL'
}

function connectIn(name: string, url: string, report: Report, onMoved?: (name: string) => void): Connect {
  const addresses = addressesIn(name, url)
  reportPlain(name, addresses, report)
  return connectTo(addresses, onMoved)
}

/** What postgres.js returns: the rows, and the backend key that the connection got when it was opened. */
type Answer = readonly [{ readonly pid: number }] & { readonly state: { readonly pid: number } }

/**
 * Whether a pooler answers. A server gives each connection a key with the id of the process that serves it. A
 * pooler gives keys of its own, because it does not know yet which process a connection will get. There is no
 * way to see whether a pooler shares connections, so every pooler is treated as if it did.
 */
async function isPooler(connect: Connect): Promise<boolean> {
  const { queries, end } = await connect(poolSettings, { isShared: true })
  try {
    const asking = queries.execute(sql`select pg_backend_pid() as pid`)
    const answer = (await settleBy(performance.now() + deadlineMs, asking)) as unknown as Answer
    return answer[0].pid !== answer.state.pid
  } finally {
    end()
  }
}

/** Whether both lead to the same database. Takes a lock through `direct`, and checks whether `connect` sees it held. */
async function leadToSame(connect: Connect, direct: Connect): Promise<boolean> {
  const key = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
  const [one, other] = await openTwo(connect, direct)
  const isLocked = other.queries.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${key})`)
    const tried = sql`select pg_try_advisory_xact_lock(${key}) as "isFree"`
    return !(await oneRowOf<{ isFree: boolean }>(one.queries, tried)).isFree
  })
  try {
    return await settleBy(performance.now() + deadlineMs, isLocked)
  } finally {
    one.end()
    other.end()
  }
}

/** Opens two connections. If one cannot be opened, the other does not stay open. */
async function openTwo(one: Connect, other: Connect): Promise<readonly [Connection, Connection]> {
  const opening = [one(poolSettings), other(poolSettings)] as const
  try {
    return await Promise.all(opening)
  } catch (error) {
    for (const each of opening) each.then(({ end }) => end()).catch(() => {})
    throw error
  }
}
