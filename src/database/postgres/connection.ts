import { connect, type Socket } from 'node:net'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Queries } from '../db.ts'
import { ConnectionLost, isConnectionLost, Unavailable } from '../errors.ts'
import { before } from '../guard.ts'
import { beginning, setting } from '../session-settings.ts'
import { type Address, nameOf } from './addresses.ts'
import { asWeNeedIt, typesThatWeSend } from './driver.ts'

/** A healthy server answers sooner, even far away and over TLS. */
const openingMs = 5_000
/** How long the server may take to notice that a connection is over. */
const farewellMs = 1_000

/** One connection to a Postgres, for one user at a time. Once lost, it rejects every query. */
export type Connection = {
  readonly queries: Queries
  readonly isOpen: boolean
  /** Ends it, and rejects queries under way. */
  end(): void
}

type Options = {
  readonly address: Address
  readonly settings: Readonly<Record<string, string>>
  /** Whether a pooler may share it with others: the settings are then made for each transaction. */
  readonly isShared?: boolean
  /** Whether a server that only reads is refused. */
  readonly mustWrite?: boolean
  readonly onNotify?: () => void
  /** Called once when an open connection is lost or ended. */
  readonly onClose?: () => void
  /** Ends it while it is not open yet. */
  readonly signal?: AbortSignal
}

/** A standby says so too, of every transaction. */
const askReadOnly = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`

/**
 * Opens a connection: a client of postgres.js with one socket for its whole life. So the driver can do no
 * harm after it lost a connection, when it would continue a transaction on a new one, dial without pause
 * (postgres.js 3.4.9, issue 1193), write to a closed socket (1066), or keep a connection that sends nothing
 * any more (1154, 1176, 1208). Rejects with what the driver or the server says.
 */
export async function openConnection({
  address,
  settings,
  isShared = false,
  mustWrite = false,
  onNotify,
  onClose,
  signal,
}: Options): Promise<Connection> {
  const begin = isShared ? beginning(settings) : null
  let state: 'opening' | 'open' | 'closed' = 'opening'
  const socket = connect({ ...address.place })
  // Before the driver hears of it: a statement that it got between the two events would wait for ever.
  socket.on('error', close)
  const dialled = whenConnected(socket, address)
  // The driver asks for it later, and hears of it then.
  dialled.catch(() => {})
  const client = postgres(address.url, {
    ...typesThatWeSend,
    ...{ socket: once(dialled) },
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 0,
    connection: { application_name: 'shipfeed' },
    onnotice: ({ routine }) => {
      // An operator ended the wait for a standby: what is committed may be lost or unseen, so nobody is told of it.
      if (routine === 'SyncRepWaitForLSN') end()
    },
    onclose: close,
    ...(onNotify === undefined ? {} : { onnotify: onNotify }),
  })
  signal?.addEventListener('abort', end)
  let isReadOnly: boolean | undefined
  try {
    const settled = begin === null ? setting(settings) : `${begin}; commit`
    const begun = client.unsafe(`${settled}; ${askReadOnly}`)
    isReadOnly = (await before(performance.now() + openingMs, begun)).at(-1)?.[0]?.isReadOnly
  } catch (error) {
    end()
    if (error instanceof Unavailable) throw new Unavailable(`${nameOf(address)} does not answer`)
    if (!isConnectionLost(error)) throw error
    // The driver would name another place.
    const isTls = /[?&]ssl(mode)?=/.test(address.url)
    throw new Unavailable(`${nameOf(address)} hung up${isTls ? ', it may not speak TLS' : ''}`)
  }
  signal?.removeEventListener('abort', end)
  if (mustWrite && isReadOnly === true) {
    end()
    throw new Unavailable(`${nameOf(address)} is read-only`)
  }
  state = 'open'
  return {
    queries: drizzle(asWeNeedIt(client, { isOpen, end, beginning: begin }), {
      casing: 'snake_case',
    }) as unknown as Queries,
    get isOpen() {
      return isOpen()
    },
    end,
  }

  function isOpen(): boolean {
    return state === 'open'
  }

  function close(): void {
    const wasOpen = isOpen()
    state = 'closed'
    if (wasOpen) onClose?.()
  }

  function end(): void {
    close()
    void client.end({ timeout: 0 })
    setTimeout(() => socket.destroy(), farewellMs).unref()
  }
}

/** Gives the driver this socket, and tells it that the connection is lost when it wants another. */
function once(socket: Promise<Socket>): () => Promise<Socket> {
  let isTaken = false
  return async () => {
    if (isTaken) throw new ConnectionLost()
    isTaken = true
    return await socket
  }
}

async function whenConnected(socket: Socket, { place }: Address): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('connect', resolve)
  socket.once('error', reject)
  socket.once('close', () => reject(new ConnectionLost()))
  await promise
  // The name that the driver asks a certificate for.
  return Object.assign(socket, 'host' in place ? { host: place.host } : {})
}
