import { connect, type Socket } from 'node:net'
import { makePgArray, parsePgArray } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Address } from './addresses.ts'
import { setting } from './connection.ts'
import type { Queries } from './db.ts'
import { ConnectionLost, isConnectionLost, Unavailable } from './errors.ts'
import { before } from './guard.ts'

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
  readonly onNotify?: () => void
  /** Called once when an open connection is lost or ended. */
  readonly onClose?: () => void
}

/**
 * The driver would ask every new connection for the types of arrays, and nobody would catch a failure: the
 * process would end (postgres.js 3.4.9, `fetchArrayTypes`). So it is told the only one that we send.
 */
const arrays = {
  fetch_types: false,
  types: {
    texts: {
      to: 1009,
      from: [1009],
      // Drizzle has already written out the arrays of its own columns.
      serialize: (value: string[] | string) => (typeof value === 'string' ? value : makePgArray(value)),
      parse: parsePgArray,
    },
  },
}

/**
 * Opens a connection: a client of postgres.js with one socket for its whole life. So the driver can do no
 * harm after it lost a connection, when it would continue a transaction on a new one, dial without pause
 * (postgres.js 3.4.9, issue 1193), write to a closed socket (1066), or keep a connection that sends nothing
 * any more (1154, 1176, 1208). Rejects with what the driver or the server says.
 */
export async function openConnection({ address, settings, onNotify, onClose }: Options): Promise<Connection> {
  let state: 'opening' | 'open' | 'closed' = 'opening'
  const socket = connect({ ...address.place })
  // Before the driver hears of it: a statement that it got between the two events would wait for ever.
  socket.on('error', close)
  const dialled = whenConnected(socket, address)
  // The driver asks for it later, and hears of it then.
  dialled.catch(() => {})
  const client = postgres(address.url, {
    ...arrays,
    ...{ socket: once(dialled) },
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 0,
    connection: { application_name: 'shipfeed' },
    onnotice: () => {},
    onclose: close,
    ...(onNotify === undefined ? {} : { onnotify: onNotify }),
  })
  try {
    await before(performance.now() + openingMs, client.unsafe(setting(settings)))
  } catch (error) {
    end()
    if (error instanceof Unavailable) throw new Unavailable(`${nameOf(address)} does not answer`)
    if (!isConnectionLost(error)) throw error
    // The driver would name another place.
    const isTls = /[?&]ssl(mode)?=/.test(address.url)
    throw new Unavailable(`${nameOf(address)} hung up${isTls ? ', it may not speak TLS' : ''}`)
  }
  state = 'open'
  return {
    queries: drizzle(asWeNeedIt(client, { isOpen, end }), { casing: 'snake_case' }) as unknown as Queries,
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

function nameOf({ place }: Address): string {
  return 'path' in place ? place.path : `${place.host}:${place.port}`
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

type Parameters = postgres.ParameterOrJSON<never>[]

/** The part of a connection that its adapted client needs. */
type State = { isOpen(): boolean; end(): void }

/**
 * The same client with three differences. After a loss it rejects every query at once. It prepares statements
 * with parameters, so that the server plans them once per connection, which is most of what a badge costs it;
 * Drizzle does so only for its query builder. And its transactions are our own.
 */
function asWeNeedIt(client: postgres.Sql, { isOpen, end }: State): postgres.Sql {
  const same: postgres.Sql = new Proxy(client, {
    get(target, property) {
      if (property === 'unsafe') return unsafe
      if (property === 'begin') return begin
      return Reflect.get(target, property)
    },
  })
  return same

  function unsafe(statement: string, parameters?: Parameters) {
    if (!isOpen()) throw new ConnectionLost()
    return client.unsafe(statement, parameters, { prepare: true })
  }

  /**
   * Sends `begin` together with the first statement. The driver would prepare `commit`, and a server that has
   * forgotten that statement would turn it into a rollback without an error (issue 1212). So it goes by the
   * simple protocol, and only what is answered with COMMIT is committed.
   */
  async function begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    const [, result] = await Promise.all([
      // If `begin` fails, nothing after it may run.
      unsafe('begin').catch((error: unknown) => {
        end()
        throw error
      }),
      work(same as unknown as postgres.TransactionSql),
    ]).catch(async (error: unknown) => {
      // A rollback on a lost connection would wait for ever (postgres.js 3.4.9, issue 1154).
      if (isOpen() && !isConnectionLost(error)) await unsafe('rollback')
      throw error
    })
    const { command } = await unsafe('commit')
    if (command !== 'COMMIT') throw new Unavailable(`the server answered a commit with ${command}`)
    return result
  }
}
