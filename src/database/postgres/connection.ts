import { connect, type Socket } from 'node:net'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { type Queries, settleBy } from '../db.ts'
import { ConnectionLost, isConnectionLost, TlsRefused, Unavailable } from '../errors.ts'
import { beginStatement, type SessionSettings, settingStatement } from '../session-settings.ts'
import { type Address, serverName } from './addresses.ts'
import { adaptClient, ourTypes } from './driver.ts'

/** Enough for a healthy server, even a distant one over TLS. */
const openingMs = 5_000
/** How long the server may take to notice that we have ended the connection. */
const closingMs = 1_000

/** The byte `N`. */
const noTls = 0x4e

/** For one caller at a time. After it is lost, it rejects every query. */
export type Connection = Disposable & {
  readonly queries: Queries
  readonly isOpen: boolean
  /** Also rejects the running queries. Leaving a scope that is `using` the connection does the same. */
  end(): void
}

export type ConnectionOptions = {
  /** Whether a pooler may share the connection with other clients. If so, each transaction applies the settings. */
  readonly isShared?: boolean
  readonly onNotify?: () => void
  /** Called once, when an open connection is lost or ended. */
  readonly onClose?: () => void
}

/** `signal` ends the attempt. With `mustWrite`, a read-only server is refused. */
type Attempt = ConnectionOptions & { readonly mustWrite: boolean; readonly signal: AbortSignal }

/** On a standby, every transaction is read-only. */
const askReadOnly = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`

/**
 * A postgres.js client with one socket for its whole life. By itself, the driver would continue a transaction on a new
 * connection, reconnect without a pause (postgres.js 3.4.9, issue 1193), write to a closed socket (1066, 1154, 1208),
 * or keep a silent connection (1089). Rejects with Unavailable, or the driver's or server's error.
 */
export async function openConnection(
  address: Address,
  settings: SessionSettings,
  { isShared = false, mustWrite, onNotify, onClose, signal }: Attempt,
): Promise<Connection> {
  const begin = isShared ? beginStatement(settings) : null
  const state = { isOpen: false }
  const socket = connect({ ...address.endpoint })
  // Runs before the driver's own handler: a statement sent between the two handlers would wait forever.
  socket.on('error', close)
  const dialled = whenConnected(socket, address)
  // The driver awaits this promise later, and gets the error then.
  dialled.catch(() => {})
  let isTaken = false
  const takeSocket = async () => {
    if (isTaken) throw new ConnectionLost()
    isTaken = true
    return await dialled
  }
  const tls = address.tls ?? false
  const mustEncrypt = tls !== false && tls !== 'prefer'
  let isRefused = false
  if (mustEncrypt) {
    // The server's answer to the request for TLS, which the driver does not look at.
    socket.once('data', ([answer]: Uint8Array) => {
      if (answer !== noTls) return
      isRefused = true
      end()
    })
  }
  const client = postgres({
    ...ourTypes,
    ...address.session,
    ...{ socket: takeSocket, onnotify: () => onNotify?.() },
    // A placeholder. The driver must not choose a server: it mistakes a standby of Postgres 14 or newer for a primary.
    host: 'localhost',
    ssl: tls,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 0,
    onnotice: ({ routine }) => {
      // The wait for a standby was cancelled: the commit may be lost or invisible there, so it is not acknowledged.
      if (routine === 'SyncRepWaitForLSN') end()
    },
    onclose: close,
  })
  signal.addEventListener('abort', end)
  const settled = begin === null ? settingStatement(settings) : `${begin}; commit`
  const begun = client.unsafe(`${settled}; ${askReadOnly}`)
  const answers = await settleBy(performance.now() + openingMs, begun).catch((error: unknown) => {
    end()
    if (isRefused) throw new TlsRefused()
    if (error instanceof Unavailable) throw new Unavailable(`${serverName(address)} does not answer`)
    if (!isConnectionLost(error)) throw error
    // The driver's own message would name a host that is only a placeholder.
    throw new Unavailable(`${serverName(address)} hung up${mustEncrypt ? ' (it may not speak TLS)' : ''}`)
  })
  signal.removeEventListener('abort', end)
  if (mustWrite && answers.at(-1)?.[0]?.isReadOnly === true) {
    end()
    throw new Unavailable(`${serverName(address)} is read-only`)
  }
  state.isOpen = true
  const adapted = adaptClient(client, { state, end, beginning: begin })
  const queries = drizzle(adapted, { casing: 'snake_case' }) as unknown as Queries
  return Object.assign(state, { queries, end, [Symbol.dispose]: end })

  function close(): void {
    const wasOpen = state.isOpen
    state.isOpen = false
    if (wasOpen) onClose?.()
  }

  function end(): void {
    close()
    void client.end({ timeout: 0 })
    setTimeout(() => socket.destroy(), closingMs).unref()
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
