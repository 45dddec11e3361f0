import { connect, type Socket } from 'node:net'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { type Queries, settleBy } from '../db.ts'
import { ConnectionLost, isConnectionLost, Unavailable } from '../errors.ts'
import { beginStatement, type SessionSettings, settingStatement } from '../session-settings.ts'
import { type Address, serverName } from './addresses.ts'
import { adaptClient, ourTypes } from './driver.ts'

/** A healthy server, even a distant one over TLS, opens a connection in less time than this. */
const openingMs = 5_000
/** How long the server may take to notice that we have ended the connection. */
const closingMs = 1_000

/** One connection to a Postgres server, for one caller at a time. After it is lost, it rejects every query. */
export type Connection = {
  readonly queries: Queries
  readonly isOpen: boolean
  /** Ends the connection and rejects its running queries. */
  end(): void
}

type Options = {
  readonly address: Address
  readonly settings: SessionSettings
  /** Whether a pooler may share the connection with other clients. If so, each transaction applies the settings. */
  readonly isShared: boolean
  /** Whether to refuse a read-only server. */
  readonly mustWrite: boolean
  readonly onNotify: (() => void) | undefined
  /** Called once, when an open connection is lost or ended. */
  readonly onClose: () => void
  /** If this is aborted before the connection is open, the connection is ended. */
  readonly signal: AbortSignal
}

/** On a standby, every transaction is read-only. */
const askReadOnly = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`

/**
 * Opens a connection: a postgres.js client with one socket for its whole life. This avoids what the driver
 * does after it has lost a connection: it continues a transaction on a new connection, reconnects without a
 * pause (postgres.js 3.4.9, issue 1193), writes to a closed socket (1066), or keeps a connection that no
 * longer sends anything (1154, 1176, 1208). Rejects with Unavailable, or the error of the driver or the server.
 */
export async function openConnection({
  address,
  settings,
  isShared,
  mustWrite,
  onNotify,
  onClose,
  signal,
}: Options): Promise<Connection> {
  const begin = isShared ? beginStatement(settings) : null
  let isOpen = false
  const socket = connect({ ...address.endpoint })
  // This handler is added first, so that it runs before the driver's own. If the driver's handler ran first, a
  // statement sent between the two would wait for ever.
  socket.on('error', close)
  const dialled = whenConnected(socket, address)
  // The driver awaits this promise later, and gets the error then.
  dialled.catch(() => {})
  const client = postgres(address.url, {
    ...ourTypes,
    ...{ socket: once(dialled) },
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 0,
    connection: { application_name: 'shipfeed' },
    onnotice: ({ routine }) => {
      // An operator cancelled the wait for a standby. The commit may still be lost, or may not be visible
      // on the standby, so it must not be acknowledged.
      if (routine === 'SyncRepWaitForLSN') end()
    },
    onclose: close,
    ...(onNotify === undefined ? {} : { onnotify: onNotify }),
  })
  signal.addEventListener('abort', end)
  let isReadOnly: boolean | undefined
  try {
    const settled = begin === null ? settingStatement(settings) : `${begin}; commit`
    const begun = client.unsafe(`${settled}; ${askReadOnly}`)
    isReadOnly = (await settleBy(performance.now() + openingMs, begun)).at(-1)?.[0]?.isReadOnly
  } catch (error) {
    end()
    if (error instanceof Unavailable) throw new Unavailable(`${serverName(address)} does not answer`)
    if (!isConnectionLost(error)) throw error
    // The driver's own message would name the host of `address.url`, which is a placeholder.
    const isTls = /[?&]ssl(mode)?=(?!disable|false)/.test(address.url)
    throw new Unavailable(`${serverName(address)} hung up${isTls ? ' (it may not speak TLS)' : ''}`)
  }
  signal.removeEventListener('abort', end)
  if (mustWrite && isReadOnly === true) {
    end()
    throw new Unavailable(`${serverName(address)} is read-only`)
  }
  isOpen = true
  return {
    queries: drizzle(adaptClient(client, { isOpen: () => isOpen, end, beginning: begin }), {
      casing: 'snake_case',
    }) as unknown as Queries,
    get isOpen() {
      return isOpen
    },
    end,
  }

  function close(): void {
    const wasOpen = isOpen
    isOpen = false
    if (wasOpen) onClose()
  }

  function end(): void {
    close()
    void client.end({ timeout: 0 })
    setTimeout(() => socket.destroy(), closingMs).unref()
  }
}

/** Gives the driver this socket once. If the driver asks for another one, throws ConnectionLost. */
function once(socket: Promise<Socket>): () => Promise<Socket> {
  let isTaken = false
  return async () => {
    if (isTaken) throw new ConnectionLost()
    isTaken = true
    return await socket
  }
}

async function whenConnected(socket: Socket, { endpoint }: Address): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('connect', resolve)
  socket.once('error', reject)
  socket.once('close', () => reject(new ConnectionLost()))
  await promise
  // The driver compares the server's certificate with this name.
  return Object.assign(socket, 'host' in endpoint ? { host: endpoint.host } : {})
}
