import { sql } from 'drizzle-orm'
import { deadlineMs, oneRowOf, type Report, settleBy } from '../db.ts'
import { DatabaseUnusable, refusalBy } from '../errors.ts'
import { poolSettings } from '../session-settings.ts'
import { addressesIn, reportPlain } from './addresses.ts'
import { type Connect, connectTo } from './serving-server.ts'

export type Route = ReturnType<typeof routeTo>

/** How a database is reached (docs/scaling.md#poolers). Throws DatabaseUnusable if a URL is not a Postgres address. */
export function routeTo(url: string, listenUrl: string | null = null, report: Report = () => {}) {
  const onMoved = (name: string) => report(`Shipfeed now uses the database server ${name}`, 'database_moved')
  const dial = connectIn('DATABASE_URL', url, report, onMoved)
  const dialDirect = listenUrl === null ? null : connectIn('DATABASE_LISTEN_URL', listenUrl, report)
  let isShared = true
  const connect: Connect = (settings, options) => dial(settings, { ...options, isShared })
  return {
    settings: settingsWith(listenUrl, 'or'),
    /** Via DATABASE_URL, perhaps through a pooler. */
    connect,
    /** For work that needs a session or takes long: via DATABASE_LISTEN_URL, if set. */
    direct: dialDirect ?? connect,
    /** Whether DATABASE_URL leads to a pooler, which may share connections. Assumed until `find` resolves. */
    get isShared() {
      return isShared
    },
    /** Whether `direct` gives a session, without which NOTIFY cannot be heard. */
    get hasSession() {
      return dialDirect !== null || !isShared
    },
    /** Finds out whether there is a pooler. Rejects with DatabaseUnusable, or with the server's error. */
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

/** The settings that lead to the primary, as messages name them. */
export function settingsWith(listenUrl: string | null, conjunction: 'and' | 'or'): string {
  return listenUrl === null ? 'DATABASE_URL' : `DATABASE_URL ${conjunction} DATABASE_LISTEN_URL`
}

function connectIn(name: string, url: string, report: Report, onMoved?: (name: string) => void): Connect {
  const addresses = addressesIn(name, url)
  reportPlain(name, addresses, report)
  return connectTo(addresses, onMoved)
}

/** The rows, and the backend key that the connection got when it was opened. */
type Answer = readonly [{ readonly pid: number }] & { readonly state: { readonly pid: number } }

/** Postgres puts its backend's pid into the key. A pooler makes its own keys, and may or may not share connections. */
async function isPooler(connect: Connect): Promise<boolean> {
  using connection = await connect(poolSettings, { isShared: true })
  const asking = connection.queries.execute(sql`select pg_backend_pid() as pid`)
  const answer = (await settleBy(performance.now() + deadlineMs, asking)) as unknown as Answer
  return answer[0].pid !== answer.state.pid
}

/** Takes a lock through `direct`, and checks whether `connect` sees it held. */
async function leadToSame(connect: Connect, direct: Connect): Promise<boolean> {
  const key = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
  using one = await connect(poolSettings)
  using other = await direct(poolSettings)
  const isLocked = other.queries.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${key})`)
    const tried = sql`select pg_try_advisory_xact_lock(${key}) as "isFree"`
    return !(await oneRowOf<{ isFree: boolean }>(one.queries, tried)).isFree
  })
  return await settleBy(performance.now() + deadlineMs, isLocked)
}
