import type { Db, Queries } from './database.ts'
import { isOutage, Unavailable } from './unavailable.ts'

/** A pipeline must have its answer within 2.5 s (issue 1), whatever the database does. */
const deadlineMs = 2_000

/** A frozen database must not collect work without bound. */
const maxRunning = 500

/**
 * Makes `Db.run` of a driver's queries: gives up after the deadline, bounds what runs at once, and turns
 * every outage into Unavailable. The drivers wait for ever on a connection that is silent.
 */
export function guard(queries: Queries): Db['run'] {
  let running = 0

  return async function run<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    if (running >= maxRunning) throw new Unavailable('too many queries are waiting')
    running += 1
    const result = work(queries).finally(() => {
      running -= 1
    })
    try {
      return await withDeadline(result)
    } catch (error) {
      throw isOutage(error) && !(error instanceof Unavailable)
        ? new Unavailable('outage', { cause: error })
        : error
    }
  }
}

function withDeadline<T>(result: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Unavailable('no answer within the deadline')), deadlineMs)
  return Promise.race([result, promise]).finally(() => clearTimeout(timer))
}
