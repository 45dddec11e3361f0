import type { Changes, Db, Lane, Queries } from './db.ts'
import { isOutage, isRefusedForNow, Unavailable } from './errors.ts'

/** A pipeline must have its answer within 2.5 s (docs/decisions.md#operation), whatever the database does. */
export const deadlineMs = 2_000

/** With less time left than this, a query is not sent again. */
const retryMs = 500

/** How many callers of each lane may wait at once, since a hung database would collect any number. */
const maxRunning: Readonly<Record<Lane, number>> = { reserved: 500, shared: 300 }

/** Runs queries in a lane, and gives up at the instant `until` of performance.now(). */
export type Run = <T>(
  work: (queries: Queries) => Promise<T>,
  until: number,
  lane: Lane,
  changes?: Changes<T>,
) => Promise<T>

/**
 * Makes `Db.run`. It gives up after the deadline, bounds how many callers of a lane wait at once, tries once
 * more if the server says that it did nothing, and turns every outage into Unavailable.
 */
export function guard(run: Run): Db['run'] {
  const running = { reserved: 0, shared: 0 }

  return async function guarded<T>(
    work: (queries: Queries) => Promise<T>,
    lane: Lane = 'shared',
    changes?: Changes<T>,
  ): Promise<T> {
    if (running[lane] >= maxRunning[lane]) throw new Unavailable('too many queries are waiting')
    const until = performance.now() + deadlineMs
    running[lane] += 1
    try {
      return await run(work, until, lane, changes).catch((error: unknown) => {
        if (!isRefusedForNow(error) || performance.now() > until - retryMs) throw error
        return run(work, until, lane, changes)
      })
    } catch (error) {
      throw isOutage(error) && !(error instanceof Unavailable)
        ? new Unavailable('outage', { cause: error })
        : error
    } finally {
      // Runs even after a query that is never answered: its slot must not be lost.
      running[lane] -= 1
    }
  }
}

/** Waits for a promise until a performance.now() instant, then calls `onMissed` and throws Unavailable. */
export function settleBy<T>(until: number, result: Promise<T>, onMissed: () => void = () => {}): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const miss = () => {
    onMissed()
    reject(new Unavailable('no answer within the deadline'))
  }
  // In a busy process the instant may have passed, and Bun would warn about a negative delay.
  const timer = setTimeout(miss, Math.max(0, until - performance.now()))
  return Promise.race([result, promise]).finally(() => clearTimeout(timer))
}
