import { ConnectionLost, codeOf, messageOf, Unavailable } from '../errors.ts'
import type { SessionSettings } from '../session-settings.ts'
import { type Address, serverName } from './addresses.ts'
import { type Connection, openConnection } from './connection.ts'

/** The server that served last is asked first. The others are asked after this time if it has not answered. */
const headStartMs = 250
/** While a server hangs, all are asked again this often, since another may have become the primary. */
const againEveryMs = 1_000

type Options = {
  /** Whether a pooler may share this connection with other clients. */
  readonly isShared?: boolean
  readonly onNotify?: () => void
  readonly onClose?: () => void
}

/** Opens a connection with these settings. */
export type Connect = (settings: SessionSettings, options?: Options) => Promise<Connection>

/**
 * Returns the function that connects to the serving server. Of several servers, that is the first one found to
 * accept writes. The function first asks the server that served last. If that one refuses, or does not answer
 * within `headStartMs`, the function asks the others. If several answer, only the first connection is kept.
 * Rejects with the server's error, or with the errors of all servers.
 *
 * If the serving server changes, `onMoved` gets the name of the new one, and all connections to the previous
 * one are ended, because a former primary may give outdated answers.
 */
export function connectTo(
  addresses: readonly Address[],
  onMoved: (name: string) => void = () => {},
): Connect {
  const mustWrite = addresses.length > 1 || addresses.some(({ wanted }) => wordsForPrimary.includes(wanted))
  const open = new Map<Connection, Address>()
  /** For each waiting caller, a function that asks all servers again. The caller that has waited longest is first. */
  const waiting = new Set<() => void>()
  let serving: Address | null = null

  return async function connect(settings, { isShared = false, onNotify, onClose } = {}) {
    const found = Promise.withResolvers<Connection>()
    const over = new AbortController()
    const again = () => void ask().catch(() => {})
    waiting.add(again)
    // Only the caller that has waited longest asks again, so that servers that are down are not flooded. If it finds
    // that another server serves now, all other callers ask again too (`serve`).
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
      const connection = await openConnection({
        address,
        settings,
        isShared,
        mustWrite,
        signal: over.signal,
        onNotify,
        onClose: () => open.delete(connection) && onClose?.(),
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

/** Values of `target_session_attrs` that ask for a server which accepts writes. */
const wordsForPrimary = ['read-write', 'primary']

/** Merges the servers' errors: returns the first if all have the same code, otherwise one that lists them all. */
function asOne(errors: readonly unknown[]): unknown {
  const [first] = errors
  const isSame = errors.every((error) => codeOf(error) !== null && codeOf(error) === codeOf(first))
  return isSame || errors.length === 1 ? first : new Unavailable(errors.map(messageOf).join(', '))
}
