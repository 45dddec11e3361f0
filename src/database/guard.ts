import type { Db, Queries } from './db.ts'
import { isOutage, isRefusedForNow, Unavailable } from './errors.ts'

/** A pipeline must have its answer within 2.5 s (docs/decisions.md#operation), whatever the database does. */
export const deadlineMs = 2_000

/** With less time left than this, nothing is asked once more. */
const retryMs = 500

/** A frozen database must not collect callers without bound. */
const maxRunning = 500

/** Runs queries, and gives up at an instant of performance.now(). */
export type Run = <T>(work: (queries: Queries) => Promise<T>, until: number) => Promise<T>

/**
 * Makes `Db.run`: gives up after the deadline, bounds how many callers wait at once, asks once more if the
 * server says that it did nothing, and turns every outage into Unavailable.
 */
export function guard(run: Run): Db['run'] {
  let running = 0

  return async function guarded<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    if (running >= maxRunning) throw new Unavailable('too many queries are waiting')
    const until = performance.now() + deadlineMs
    running += 1
    try {
      return await run(work, until).catch((error: unknown) => {
        if (!isRefusedForNow(error) || performance.now() > until - retryMs) throw error
        return run(work, until)
      })
    } catch (error) {
      throw isOutage(error) && !(error instanceof Unavailable)
        ? new Unavailable('outage', { cause: error })
        : error
    } finally {
      // Also for a query that is never answered, whose slot must not be lost.
      running -= 1
    }
  }
}

/**
 * Waits for a promise until an instant of performance.now(); then calls `onMissed` and throws Unavailable.
 */
export function before<T>(until: number, result: Promise<T>, onMissed: () => void = () => {}): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    onMissed()
    reject(new Unavailable('no answer within the deadline'))
  }, until - performance.now())
  return Promise.race([result, promise]).finally(() => clearTimeout(timer))
}
