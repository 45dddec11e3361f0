import { sql } from 'drizzle-orm'
import { DatabaseUnusable } from '../errors.ts'
import { before, deadlineMs } from '../guard.ts'
import { poolSettings } from '../session-settings.ts'
import { oneRowOf } from '../sql.ts'
import type { Tell } from '../tell.ts'
import { addressesIn } from './addresses.ts'
import { type Connect, connectTo, openTwo } from './connect.ts'
import { keepsItsSession } from './pooler-check.ts'

/** How a database is reached (docs/operations.md#poolers). */
export type Route = {
  /** The way of DATABASE_URL, perhaps through a pooler that shares connections. */
  readonly connect: Connect
  /** The way of DATABASE_LISTEN_URL, for what needs a session or takes long; without it, the same. */
  readonly direct: Connect
  /** Whether a pooler shares the connections of DATABASE_URL; true as long as it is not known. */
  readonly isShared: boolean
  /** Whether a session is to be had, for a bell. */
  readonly hasSession: boolean
  /** Finds out. Rejects with DatabaseUnusable where DATABASE_LISTEN_URL is of no use, or with what the server says. */
  find(): Promise<void>
}

/** `tell` hears when DATABASE_URL leads to another server. Throws DatabaseUnusable if one of these is no Postgres address. */
export function routeTo(url: string, listenUrl: string | null = null, tell: Tell = () => {}): Route {
  const onMoved = (name: string) => tell(`The database is ${name} now`, 'database_moved')
  const dial = dialling('DATABASE_URL', url, onMoved)
  const dialDirect = listenUrl === null ? null : dialling('DATABASE_LISTEN_URL', listenUrl)
  let isShared = true
  const connect: Connect = (settings, options) => dial(settings, { ...options, isShared })
  return {
    connect,
    direct: dialDirect ?? connect,
    get isShared() {
      return isShared
    },
    get hasSession() {
      return dialDirect !== null || !isShared
    },
    async find() {
      isShared = !(await keepsItsSession(dial))
      if (dialDirect === null) return
      if (!(await keepsItsSession(dialDirect))) {
        throw new DatabaseUnusable(
          'DATABASE_LISTEN_URL leads to a pooler that shares connections: give Postgres itself, or unset it',
        )
      }
      if (!(await areSame(connect, dialDirect))) {
        throw new DatabaseUnusable('DATABASE_LISTEN_URL leads to another database than DATABASE_URL')
      }
    },
  }
}

function dialling(name: string, url: string, onMoved?: (name: string) => void): Connect {
  return connectTo(addressesIn(name, url), onMoved)
}

/** Whether two ways lead to one database: then what is locked on the one is locked on the other. */
async function areSame(connect: Connect, direct: Connect): Promise<boolean> {
  const key = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
  const [one, other] = await openTwo(
    () => connect(poolSettings),
    () => direct(poolSettings),
  )
  const lockedByOther = other.queries.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${key})`)
    const tried = sql`select pg_try_advisory_xact_lock(${key}) as "isFree"`
    return !(await oneRowOf<{ isFree: boolean }>(one.queries, tried)).isFree
  })
  try {
    return await before(performance.now() + deadlineMs, lockedByOther)
  } finally {
    one.end()
    other.end()
  }
}
