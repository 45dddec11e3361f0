import { ConnectionLost, codeOf, messageOf, Unavailable } from '../errors.ts'
import type { SessionSettings } from '../session-settings.ts'
import { type Address, serverName } from './addresses.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'

/** The server that served last is asked first. The others are asked after this time, or once it has failed. */
const headStartMs = 250
/** While a server hangs, all are asked again this often, since another may have become the primary. */
const againEveryMs = 1_000

export type Connect = (settings: SessionSettings, options?: ConnectionOptions) => Promise<Connection>

/**
 * Of several servers, connects to the first that answers and accepts writes. The one that served last has a head start.
 * Rejects with the server's error, or with those of all servers. When another one begins to serve, `onMoved` gets its
 * name, and connections to a former primary, which may give outdated answers, are ended.
 */
export function connectTo(
  addresses: readonly Address[],
  onMoved: (name: string) => void = () => {},
): Connect {
  const mustWrite =
    addresses.length > 1 || addresses.some(({ wanted }) => /^(read-write|primary)$/.test(wanted))
  const open = new Map<Connection, Address>()
  /** A function for each waiting caller, in order of arrival. It asks all servers again. */
  const waiting = new Set<() => void>()
  let serving: Address | null = null

  return async function connect(settings, options = {}) {
    const found = Promise.withResolvers<Connection>()
    const over = new AbortController()
    const again = () => void ask().catch(() => {})
    waiting.add(again)
    // Only the longest waiting caller asks again, to spare servers that are down. If another server serves now, all
    // callers ask (`serve`).
    const timer = setInterval(() => waiting.values().next().value === again && again(), againEveryMs)
    try {
      return await Promise.race([found.promise, ask()])
    } catch (error) {
      throw error instanceof AggregateError ? asOne(error.errors) : error
    } finally {
      over.abort()
      clearInterval(timer)
      waiting.delete(again)
    }

    function ask(): Promise<Connection> {
      const [first, ...others] = inOrder() as [Address, ...Address[]]
      const asked = openAt(first)
      if (others.length === 0) return Promise.any([asked])
      const isLate = Promise.race([asked.catch(() => {}), Bun.sleep(headStartMs)])
      return Promise.any([asked, ...others.map((other) => isLate.then(() => openAt(other)))])
    }

    async function openAt(address: Address): Promise<Connection> {
      over.signal.throwIfAborted()
      const connection = await openConnection(address, settings, {
        ...options,
        mustWrite,
        signal: over.signal,
        onClose: () => open.delete(connection) && options.onClose?.(),
      })
      if (over.signal.aborted) {
        connection.end()
        throw new ConnectionLost()
      }
      open.set(connection, address)
      found.resolve(connection)
      over.abort()
      serve(address)
      return connection
    }
  }

  function inOrder(): readonly Address[] {
    return addresses.toSorted((a, b) => Number(b === serving) - Number(a === serving))
  }

  function serve(address: Address): void {
    const isMoved = serving !== null && serving !== address
    serving = address
    if (!isMoved) return
    onMoved(serverName(address))
    for (const [connection, place] of [...open]) if (place !== address) connection.end()
    for (const again of waiting) again()
  }
}

/** The first of the servers' errors if all have the same code, otherwise one that lists them all. */
function asOne(errors: readonly unknown[]): unknown {
  const [first] = errors
  const isSame = errors.every((error) => codeOf(error) !== null && codeOf(error) === codeOf(first))
  return isSame || errors.length === 1 ? first : new Unavailable(errors.map(messageOf).join(', '))
}
