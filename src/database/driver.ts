import { connect, type Socket } from 'node:net'
import { makePgArray, parsePgArray } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Address } from './addresses.ts'
import { setting } from './connection.ts'
import type { Queries } from './db.ts'
import { ConnectionLost, isConnectionLost, Unavailable } from './errors.ts'
import { before } from './guard.ts'

/** A server that is well answers sooner, far away and over TLS too. */
const openingMs = 5_000
/** So long the server may take to hear that a connection is over. */
const farewellMs = 1_000

/** One connection to a Postgres, for one user at a time. Once it is lost it rejects whatever is asked. */
export type Connection = {
  readonly queries: Queries
  readonly isOpen: boolean
  /** Ends it, and rejects what is under way. */
  end(): void
}

type Options = {
  readonly address: Address
  readonly settings: Readonly<Record<string, string>>
  readonly onNotify?: () => void
  /** Hears once that an open connection is lost or was ended. */
  readonly onClose?: () => void
}

/**
 * The driver would ask every new connection for the types of arrays, and where that fails nobody catches it:
 * the process would end (postgres.js 3.4.9, `fetchArrayTypes`). So it is told the only one that we send.
 */
const arrays = {
  fetch_types: false,
  types: {
    texts: {
      to: 1009,
      from: [1009],
      // Drizzle has written out the arrays of its own columns before.
      serialize: (value: string[] | string) => (typeof value === 'string' ? value : makePgArray(value)),
      parse: parsePgArray,
    },
  },
}

/**
 * Opens a connection: a client of postgres.js that has one socket for its whole life. What the driver does after
 * it lost a connection can then do no harm: it would go on amid a transaction on a new one, dial without any
 * pause (postgres.js 3.4.9, issue 1193), write to a socket that is gone (1066), or keep a connection that sends
 * nothing any more (1154, 1176, 1208). Rejects with what the driver or the server says.
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
    // The driver would name another place.
    throw isConnectionLost(error) ? new Unavailable(`${nameOf(address)} hung up`) : error
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

/** What the driver takes its socket from: it gets this one, and hears that it is lost when it wants another. */
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

/** What the adapter of a client needs of its connection. */
type State = { isOpen(): boolean; end(): void }

/**
 * The same client, with three differences. It rejects what is asked after a loss, at once. Statements that have
 * parameters are prepared, so that the server plans them once a connection and not each time, which is most of
 * what a badge costs it; Drizzle has this only for its query builder. And a transaction is ours.
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
   * Its beginning goes together with its first statement. The driver would prepare `commit`, which a server that
   * no longer knows that statement makes a rollback of, without an error (issue 1212). So it goes by the simple
   * protocol, and what is not answered with COMMIT is not committed.
   */
  async function begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    const [, result] = await Promise.all([
      // What follows a beginning that failed must not run without it.
      unsafe('begin').catch((error: unknown) => {
        end()
        throw error
      }),
      work(same as unknown as postgres.TransactionSql),
    ]).catch(async (error: unknown) => {
      // A rollback that is written to a connection which is lost would wait for ever (issue 1154).
      if (isOpen() && !isConnectionLost(error)) await unsafe('rollback')
      throw error
    })
    const { command } = await unsafe('commit')
    if (command !== 'COMMIT') throw new Unavailable(`the server answered a commit with ${command}`)
    return result
  }
}
