import { messageOf } from '../errors.ts'
import type { Tell } from '../tell.ts'

/** How long nothing is opened after a server took no connection, in milliseconds. */
export const pauseMs = 250

/**
 * Keeps whether a server takes connections: asks for a pause after each that it did not take, and tells the
 * operator when it is away and when it is back.
 */
export function reachability(tell: Tell) {
  let failure: { readonly error: unknown; readonly at: number } | null = null
  let awaySince: number | null = null

  return {
    /** Whether it took the last one. */
    get isReached(): boolean {
      return failure === null
    },

    get lastError(): unknown {
      return failure?.error
    },

    isPausing(): boolean {
      return failure !== null && performance.now() - failure.at < pauseMs
    },

    tookOne(): void {
      failure = null
      if (awaySince === null) return
      const seconds = Math.ceil((performance.now() - awaySince) / 1_000)
      tell(`The database is back, after ${seconds} s`, 'database_back')
      awaySince = null
    },

    tookNone(error: unknown): void {
      failure = { error, at: performance.now() }
      if (awaySince !== null) return
      awaySince = failure.at
      tell(`The database takes no connection: ${messageOf(error)}`, 'database_lost')
    },
  }
}
