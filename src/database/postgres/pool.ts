import { type Lane, type Report, settleBy, type Work } from '../db.ts'
import { isConnectionLost, isReadOnly, messageOf, Unavailable } from '../errors.ts'
import type { Connection } from './connection.ts'

/** Of the connections to the primary, four are left for the reserved lane. */
export const poolSize = { size: 10, shared: 6 } as const
/** After this long without any answer, another connection is opened, to find the server that serves now. */
const silenceMs = 500
const pauseMs = 250
const replaceEveryMs = 1_000
const idleMs = 60_000
/** How many idle connections stay until they are `lifeMs` old, since opening one takes several round trips. */
const kept = 2
const lifeMs = 45 * 60_000

type Options = {
  readonly size: number
  /** The most connections that callers of the shared lane may use at once. */
  readonly shared?: number
  /** `onClose` is called when the connection is lost or ended. */
  readonly open: (onClose: () => void) => Promise<Connection>
  readonly report: Report
}

type Pooled = {
  readonly connection: Connection
  readonly openedAt: number
  readonly generation: number
  idleSince: number
}

type Waiter = Pick<PromiseWithResolvers<Pooled>, 'resolve' | 'reject'> & { readonly lane: Lane }

export type Pool = ReturnType<typeof openPool>

/**
 * Lends each connection to one caller at a time. The reserved lane goes first, unless the shared lane has no
 * connection. All connections are replaced if the server is read-only, or if a query times out and no query has been
 * answered since it began. If there is no connection and opening one fails, callers are refused at once.
 */
export function openPool({ size, shared = size, open, report }: Options) {
  const idle: Pooled[] = []
  const busy = new Set<Pooled>()
  const waiting = { reserved: new Set<Waiter>(), shared: new Set<Waiter>() }
  let sharing = 0
  let openings = 0
  let generation = 0
  let replacedAt = Number.NEGATIVE_INFINITY
  let answeredAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY
  /** The last attempt to open a connection, if it failed. */
  let failure: { readonly error: unknown; readonly at: number } | null = null
  let awaySince: number | null = null
  let isClosing = false
  const retiring = setInterval(retire, idleMs / 4)
  retiring.unref()

  return { run, close }

  async function run<T>(work: Work<T>, until: number, lane: Lane): Promise<T> {
    const pooled = await lease(until, lane)
    const { connection } = pooled
    const begunAt = performance.now()
    const silence = setTimeout(lookElsewhere, silenceMs, begunAt)
    try {
      const result = await settleBy(until, work(connection.queries), () => {
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
      if (lane === 'shared') sharing -= 1
      release(pooled)
    }
  }

  function lease(until: number, lane: Lane): Promise<Pooled> {
    const pooled = lane === 'reserved' || sharing < shared ? idle.pop() : undefined
    if (pooled !== undefined) return Promise.resolve(take(pooled, lane))
    if (isClosing) return Promise.reject(new Unavailable('the database is closed'))
    if (isPausing() && count() === 0) return Promise.reject(failure?.error)
    const waiter = { ...Promise.withResolvers<Pooled>(), lane }
    waiting[lane].add(waiter)
    openMore()
    return settleBy(until, waiter.promise, () => waiting[lane].delete(waiter))
  }

  function take(pooled: Pooled, lane: Lane): Pooled {
    busy.add(pooled)
    if (lane === 'shared') sharing += 1
    return pooled
  }

  function release(pooled: Pooled): void {
    if (isClosing || pooled.generation !== generation) pooled.connection.end()
    if (pooled.connection.isOpen) {
      pooled.idleSince = performance.now()
      idle.push(pooled)
    }
    handOut()
    openMore()
  }

  function handOut(): void {
    for (let waiter = next(); waiter !== undefined; waiter = next()) {
      const pooled = idle.pop()
      if (pooled === undefined) return
      waiting[waiter.lane].delete(waiter)
      waiter.resolve(take(pooled, waiter.lane))
    }
  }

  function next(): Waiter | undefined {
    const [first] = waiting.reserved
    const [sharer] = sharing < shared ? waiting.shared : []
    return sharing === 0 ? (sharer ?? first) : (first ?? sharer)
  }

  function isPausing(): boolean {
    return failure !== null && performance.now() - failure.at < pauseMs
  }

  /** Opens connections for waiting callers; after a failure, one at a time, to spare a server that is down. */
  function openMore(): void {
    if (isClosing || isPausing()) return
    const served = waiting.reserved.size + Math.min(waiting.shared.size, shared - sharing)
    const wanted = (failure === null ? served : Math.min(served, 1)) - openings
    for (let n = Math.min(wanted, size - count()); n > 0; n -= 1) void openOne()
  }

  async function openOne(): Promise<void> {
    openings += 1
    try {
      const connection = await open(() => forget(connection)).finally(() => (openings -= 1))
      const now = performance.now()
      failure = null
      if (awaySince !== null) {
        report(`The database is back after ${Math.ceil((now - awaySince) / 1_000)} s`, 'database_back')
      }
      awaySince = null
      release({ connection, generation, openedAt: now, idleSince: now })
    } catch (error) {
      failed(error)
    }
  }

  /** If no other query was answered after this one began, opens a connection, even beyond `size`. */
  function lookElsewhere(begunAt: number): void {
    if (isClosing || openings > 0 || Math.max(answeredAt, lookedAt) > begunAt) return
    lookedAt = performance.now()
    void openOne()
  }

  function failed(error: unknown): void {
    if (isClosing) return
    failure = { error, at: performance.now() }
    if (awaySince === null) {
      report(`Shipfeed cannot connect to the database: ${messageOf(error)}`, 'database_lost')
    }
    awaySince ??= failure.at
    // Waiting callers may still get one of the open connections.
    if (count() > 0) setTimeout(openMore, pauseMs + 1)
    else refuseAll(error)
  }

  function refuseAll(error: unknown): void {
    for (const { reject } of [...waiting.reserved, ...waiting.shared]) reject(error)
    waiting.reserved.clear()
    waiting.shared.clear()
  }

  function forget(lost: Connection): void {
    const index = idle.findIndex(({ connection }) => connection === lost)
    if (index >= 0) idle.splice(index, 1)
  }

  function replace(why: string): void {
    const now = performance.now()
    if (isClosing || now - replacedAt < replaceEveryMs) return
    if (now - replacedAt > idleMs) {
      report(`The database ${why}: Shipfeed is opening new connections`, 'database_replaced')
    }
    replacedAt = now
    generation += 1
    for (const { connection } of [...idle]) connection.end()
  }

  /** Ends unused connections, and old ones, because their server may have moved. */
  function retire(): void {
    const now = performance.now()
    for (const { connection, idleSince, openedAt } of [...idle]) {
      const isUnused = now - idleSince > idleMs && idle.length > kept
      if (isUnused || now - openedAt > lifeMs) connection.end()
    }
  }

  /** Waits at most `graceMs` for running queries. */
  async function close(graceMs: number): Promise<void> {
    isClosing = true
    clearInterval(retiring)
    refuseAll(new Unavailable('the database is closed'))
    for (const { connection } of [...idle]) connection.end()
    const endsAt = performance.now() + graceMs
    while (busy.size > 0 && performance.now() < endsAt) await Bun.sleep(10)
    for (const { connection } of busy) connection.end()
  }

  function count(): number {
    return idle.length + busy.size + openings
  }
}
