import type { Address } from './addresses.ts'
import { type Connection, openConnection } from './connection.ts'

type Listeners = { readonly onNotify?: () => void; readonly onClose?: () => void }

/** Opens a connection with these settings. */
export type Connect = (
  settings: Readonly<Record<string, string>>,
  listeners?: Listeners,
) => Promise<Connection>

/**
 * Makes the function that connects to the first server that accepts, beginning with the one that last did.
 */
export function connectTo(addresses: readonly Address[]): Connect {
  let preferred = 0

  return async function connect(settings, listeners = {}) {
    let lastError: unknown
    for (let n = 0; n < addresses.length; n += 1) {
      const place = (preferred + n) % addresses.length
      try {
        const connection = await openConnection({
          address: addresses[place] as Address,
          settings,
          ...listeners,
        })
        preferred = place
        return connection
      } catch (error) {
        lastError = error
      }
    }
    throw lastError
  }
}
