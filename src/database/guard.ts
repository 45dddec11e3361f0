import type { Db, Queries } from './db.ts'
import { isConnectionLost, isOutage, Unavailable } from './errors.ts'

/** A pipeline must have its answer within 2.5 s (docs/decisions.md#operation), whatever the database does. */
export const deadlineMs = 2_000

/** A frozen database must not collect callers without bound. */
const maxRunning = 500

/**
 * Makes `Db.run` of a driver's queries: gives up after the deadline, bounds how many callers wait at once,
 * and turns every outage into Unavailable. The drivers wait for ever on a connection that is silent, and go
 * on with one that they lost amid a write as if it were open. So `onFailure` hears of a query whose connection was
 * lost, and of one that missed the deadline when no other was answered meanwhile, once for the queries in use; it
 * makes `current` give those of new connections.
 */
export function guard(current: () => Queries, onFailure: () => void = () => {}): Db['run'] {
  let running = 0
  let answered = 0

  return async function run<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    if (running >= maxRunning) throw new Unavailable('too many queries are waiting')
    const queries = current()
    const answeredBefore = answered
    running += 1
    try {
      return await withDeadline(
        work(queries).finally(() => {
          if (queries === current()) answered += 1
        }),
        () => {
          if (queries === current() && answered === answeredBefore) onFailure()
        },
      )
    } catch (error) {
      if (queries === current() && isConnectionLost(error)) onFailure()
      throw isOutage(error) && !(error instanceof Unavailable)
        ? new Unavailable('outage', { cause: error })
        : error
    } finally {
      // Also of a query that is never answered: its slot must not be lost.
      running -= 1
    }
  }
}

/** What a promise resolves to, or Unavailable where that takes too long; `onMissed` hears of it then. */
export function withDeadline<T>(result: Promise<T>, onMissed: () => void = () => {}): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Unavailable('no answer within the deadline'))
    onMissed()
  }, deadlineMs)
  return Promise.race([result, promise]).finally(() => clearTimeout(timer))
}
