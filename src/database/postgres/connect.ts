import { ConnectionLost, codeOf, messageOf, Unavailable } from '../errors.ts'
import { type Address, nameOf } from './addresses.ts'
import { type Connection, openConnection } from './connection.ts'

/** So much sooner than the others that server is asked which served last. */
const headStartMs = 250
/** So often all are asked again while one of them says nothing: another one may serve meanwhile. */
const againEveryMs = 1_000

type Settings = Readonly<Record<string, string>>
type Options = {
  /** Whether a pooler may share it with others. */
  readonly isShared?: boolean
  readonly onNotify?: () => void
  readonly onClose?: () => void
}

/** Opens a connection with these settings. */
export type Connect = (settings: Settings, options?: Options) => Promise<Connection>

/**
 * Makes the function that connects to the server that serves: of several, the first that may write. It begins
 * with the one that served last, asks the others where that one refuses or is not there at once, and ends
 * whatever comes second. Rejects with what the server says, or with what each of them says.
 *
 * Where another server serves than before, `onMoved` hears its name, and then all connections to the one before
 * are ended: a server that is no more the one that writes may answer what is no longer true.
 */
export function connectTo(
  addresses: readonly Address[],
  onMoved: (name: string) => void = () => {},
): Connect {
  const mustWrite = addresses.length > 1 || addresses.some(({ wanted }) => writing.includes(wanted))
  const open = new Map<Connection, Address>()
  /** Asks again for each caller that waits, the longest first. */
  const waiting = new Set<() => void>()
  let serving: Address | null = null

  return async function connect(settings, { isShared = false, onNotify, onClose } = {}) {
    const found = Promise.withResolvers<Connection>()
    const over = new AbortController()
    const again = () => void ask().catch(() => {})
    waiting.add(again)
    // One for all, so that servers which are away already are not stormed.
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
        ...(onNotify === undefined ? {} : { onNotify }),
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
    onMoved(nameOf(address))
    for (const [connection, place] of [...open]) if (place !== address) connection.end()
    for (const again of waiting) again()
  }
}

/** Opens two connections; neither stays open where the other cannot be opened. */
export async function openTwo(
  one: () => Promise<Connection>,
  other: () => Promise<Connection>,
): Promise<readonly [Connection, Connection]> {
  const opening = [one(), other()] as const
  try {
    return await Promise.all(opening)
  } catch (error) {
    for (const each of opening) each.then(({ end }) => end()).catch(() => {})
    throw error
  }
}

const writing = ['read-write', 'primary']

/** One failure in place of several; the same from all is itself, so that a wrong password stays one. */
function asOne(errors: readonly unknown[]): unknown {
  const [first] = errors
  const isSame = errors.every((error) => codeOf(error) !== null && codeOf(error) === codeOf(first))
  return isSame || errors.length === 1 ? first : new Unavailable(errors.map(messageOf).join(', '))
}
