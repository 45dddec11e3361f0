import type { Queries } from '../db.ts'
import { isConnectionLost, isReadOnly, Unavailable } from '../errors.ts'
import { before, type Run } from '../guard.ts'
import type { Tell } from '../tell.ts'
import type { Connection } from './connection.ts'
import { pauseMs, reachability } from './reachability.ts'

/** Where nothing is answered for so long, another connection is opened: it finds out who serves now. */
const silenceMs = 500
/** All connections are replaced at most this often, however many callers find a read-only server. */
const replaceEveryMs = 1_000
const idleMs = 60_000
/** How many are kept however long they idle, since opening one takes several round trips. */
const kept = 2
const lifeMs = 45 * 60_000

type Options = {
  readonly size: number
  /** Opens a connection; `onClose` hears when it is lost. */
  readonly open: (onClose: () => void) => Promise<Connection>
  readonly tell: Tell
}

type Pooled = {
  readonly connection: Connection
  readonly openedAt: number
  readonly generation: number
  idleSince: number
}

type Waiter = { readonly resolve: (pooled: Pooled) => void; readonly reject: (error: unknown) => void }

export type Pool = {
  /** Runs queries on a connection that nobody else uses at the time. */
  readonly run: Run
  /** Waits at most this long for queries under way, then ends them. */
  close(graceMs: number): Promise<void>
}

/**
 * Keeps connections, each used by one caller at a time. A connection that was lost or did not answer in time
 * is thrown away, and the others go on. All are replaced, as soon as they are idle, if nothing was answered
 * on any of them meanwhile, or if the server turns out to be read-only. While none can be opened, callers are
 * refused at once.
 */
export function openPool({ size, open, tell }: Options): Pool {
  const idle: Pooled[] = []
  const busy = new Set<Pooled>()
  const waiting = new Set<Waiter>()
  let openings = 0
  let generation = 0
  let replacedAt = Number.NEGATIVE_INFINITY
  let answeredAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY
  let isClosing = false
  const server = reachability(tell)
  const retiring = setInterval(retire, idleMs / 4)
  retiring.unref()

  return { run, close }

  async function run<T>(work: (queries: Queries) => Promise<T>, until: number): Promise<T> {
    const pooled = await lease(until)
    const { connection } = pooled
    const begunAt = performance.now()
    const silence = setTimeout(lookElsewhere, silenceMs, begunAt)
    try {
      const result = await before(until, work(connection.queries), () => {
        connection.end()
        if (answeredAt < begunAt) replace('does not answer')
      })
      answeredAt = performance.now()
      return result
    } catch (error) {
      if (isConnectionLost(error)) connection.end()
      else if (connection.isOpen) answeredAt = performance.now()
      if (isReadOnly(error)) replace('is read-only')
      throw error
    } finally {
      clearTimeout(silence)
      busy.delete(pooled)
      release(pooled)
    }
  }

  function lease(until: number): Promise<Pooled> {
    const pooled = idle.pop()
    if (pooled !== undefined) {
      busy.add(pooled)
      return Promise.resolve(pooled)
    }
    if (isClosing) return Promise.reject(new Unavailable('the database is closed'))
    if (server.isPausing() && count() === 0) return Promise.reject(server.lastError)
    const { promise, resolve, reject } = Promise.withResolvers<Pooled>()
    const waiter = { resolve, reject }
    waiting.add(waiter)
    openMore()
    return before(until, promise, () => waiting.delete(waiter))
  }

  function release(pooled: Pooled): void {
    if (isClosing || pooled.generation !== generation) pooled.connection.end()
    const [next] = waiting
    if (!pooled.connection.isOpen) {
      openMore()
    } else if (next === undefined) {
      pooled.idleSince = performance.now()
      idle.push(pooled)
    } else {
      waiting.delete(next)
      busy.add(pooled)
      next.resolve(pooled)
    }
  }

  /** Opens one at a time after a failure, so as not to storm a server that takes no connections. */
  function openMore(): void {
    if (isClosing || server.isPausing()) return
    const wanted = (server.isReached ? waiting.size : Math.min(waiting.size, 1)) - openings
    for (let n = Math.min(wanted, size - count()); n > 0; n -= 1) void openOne()
  }

  async function openOne(): Promise<void> {
    openings += 1
    try {
      const connection = await open(() => forget(connection)).finally(() => (openings -= 1))
      server.tookOne()
      const now = performance.now()
      release({ connection, generation, openedAt: now, idleSince: now })
      openMore()
    } catch (error) {
      failed(error)
    }
  }

  /** Opens one more than the pool's size, for all that began since the last look and have no answer. */
  function lookElsewhere(begunAt: number): void {
    if (isClosing || openings > 0 || Math.max(answeredAt, lookedAt) > begunAt) return
    lookedAt = performance.now()
    void openOne()
  }

  function failed(error: unknown): void {
    if (isClosing) return
    server.tookNone(error)
    if (count() > 0) {
      // Waiting callers may still get one of the open connections.
      setTimeout(openMore, pauseMs + 1)
      return
    }
    for (const { reject } of waiting) reject(error)
    waiting.clear()
  }

  function forget(lost: Connection): void {
    const place = idle.findIndex(({ connection }) => connection === lost)
    if (place >= 0) idle.splice(place, 1)
  }

  function replace(why: string): void {
    const now = performance.now()
    if (isClosing || now - replacedAt < replaceEveryMs) return
    if (now - replacedAt > idleMs) {
      tell(`The database ${why}: its connections are replaced`, 'database_replaced')
    }
    replacedAt = now
    generation += 1
    for (const { connection } of [...idle]) connection.end()
  }

  /** Ends connections that were idle for long, and old ones, whose server may have moved. */
  function retire(): void {
    const now = performance.now()
    for (const { connection, idleSince, openedAt } of [...idle]) {
      const isUnused = now - idleSince > idleMs && idle.length > kept
      if (isUnused || now - openedAt > lifeMs) connection.end()
    }
  }

  async function close(graceMs: number): Promise<void> {
    isClosing = true
    clearInterval(retiring)
    for (const { reject } of waiting) reject(new Unavailable('the database is closed'))
    for (const { connection } of [...idle]) connection.end()
    const endsAt = performance.now() + graceMs
    while (busy.size > 0 && performance.now() < endsAt) await Bun.sleep(10)
    for (const { connection } of busy) connection.end()
  }

  function count(): number {
    return idle.length + busy.size + openings
  }
}
