import { makePgArray, parsePgArray } from 'drizzle-orm/pg-core'
import type postgres from 'postgres'
import { ConnectionLost, isConnectionLost, Unavailable } from '../errors.ts'

/**
 * By default, the driver asks for the types of arrays on each new connection. If that query fails, the error is
 * not caught, and it ends the process (postgres.js 3.4.9, `fetchArrayTypes`). So we give the driver the only array
 * type that we send. We also make it read int8 as a number, as PGlite does: our int8 values are ids and counts,
 * far below 2^53.
 */
export const ourTypes = {
  fetch_types: false,
  types: {
    texts: {
      to: 1009,
      from: [1009],
      // If the value is for a column of a Drizzle table, Drizzle has already turned the array into text.
      serialize: (value: string[] | string) => (typeof value === 'string' ? value : makePgArray(value)),
      parse: parsePgArray,
    },
    int8: { to: 20, from: [20], serialize: String, parse: Number },
  },
}

type Options = {
  readonly isOpen: () => boolean
  readonly end: () => void
  /** The statements that begin a transaction with its settings if a pooler shares connections; else null. */
  readonly beginning: string | null
}

/** The methods of the driver that we replace. */
type Own = {
  unsafe(statement: string, parameters?: Parameters): unknown
  begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T>
}

/**
 * Returns the same client with three differences. First, after its connection is lost, it immediately rejects every
 * query. Second, it prepares all statements that have parameters, while Drizzle prepares only those that have a name.
 * The server can then keep the plan of a statement on each connection: planning is most of what a badge costs the
 * server. Third, transactions are our own (`begin`).
 *
 * If a pooler shares connections, nothing in a session may outlast a transaction. Then no statement is prepared,
 * each transaction applies its own settings, and a statement outside a transaction is wrapped in one.
 */
export function adaptClient(client: postgres.Sql, { isOpen, end, beginning }: Options): postgres.Sql {
  const inTransaction = withOwn({ unsafe: send, begin })
  return beginning === null ? inTransaction : withOwn({ unsafe: alone, begin })

  function withOwn(own: Own): postgres.Sql {
    return new Proxy(client, {
      get: (target, property) => Reflect.get(property in own ? own : target, property),
    })
  }

  function send(statement: string, parameters?: Parameters): Query {
    if (!isOpen()) throw new ConnectionLost()
    return beginning === null
      ? client.unsafe(statement, parameters, { prepare: true })
      : unnamed(client, statement, parameters)
  }

  /** Sends a statement between its own `begin` and `commit`, all three together. */
  function alone(statement: string, parameters?: Parameters) {
    const query = send(statement, parameters)
    // The driver sends a query only when it is awaited. All three are awaited in the next microtask, after the caller
    // has chosen the format of the rows.
    const result = Promise.resolve().then(async () => {
      const [, rows, { command }] = await Promise.all([begun(), query, send('commit')])
      mustBeCommit(command)
      return rows
    })
    return Object.assign(result, {
      values() {
        query.values()
        return result
      },
    })
  }

  /**
   * Sends `begin` together with the first statement. The driver's own `begin` would prepare `commit`, and a server that
   * has forgotten that statement would roll back without an error (postgres.js 3.4.9, issue 1212). So `commit` is sent
   * by the simple protocol, and a transaction counts as committed only if the server answers COMMIT.
   */
  async function begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    const [, result] = await Promise.all([
      begun(),
      work(inTransaction as unknown as postgres.TransactionSql),
    ]).catch(async (error: unknown) => {
      // On a lost connection, a rollback would wait for ever (postgres.js 3.4.9, issue 1154).
      if (isOpen() && !isConnectionLost(error)) await send('rollback')
      throw error
    })
    const { command } = await send('commit')
    mustBeCommit(command)
    return result
  }

  /**
   * Sends `begin`. If that fails, ends the connection: the statement that was sent with `begin` may already have
   * run outside a transaction, and no other statement may follow it.
   */
  async function begun(): Promise<void> {
    try {
      await send(beginning ?? 'begin')
    } catch (error) {
      end()
      throw new ConnectionLost('', { cause: error })
    }
  }
}

function mustBeCommit(command: string): void {
  if (command !== 'COMMIT') throw new Unavailable(`the server answered a commit with ${command}`)
}

type Parameters = postgres.ParameterOrJSON<never>[]
type Query = ReturnType<postgres.Sql['unsafe']>

const extended = { simple: false, prepare: false }

/**
 * Sends a query without preparing it under a name. For such a query, the driver would first ask the server for
 * the types of its parameters (postgres.js 3.4.9, `describeFirst`). That would hold a pooled connection, and
 * perhaps the feed's lock, for another round trip. So the parameters are given as text: the driver then asks
 * nothing, and the server infers their types, as it does for literals.
 */
function unnamed(client: postgres.Sql, statement: string, parameters: Parameters = []): Query {
  if (parameters.length === 0) return client.unsafe(statement)
  const query = client.unsafe(statement, [], extended)
  return Object.assign(query, { parameters: parameters.map(textOf) })
}

function textOf(value: Parameters[number]): string | null {
  if (value === null) return null
  if (Array.isArray(value)) return makePgArray(value)
  if (['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return String(value)
  throw new TypeError(`this parameter cannot be turned into text: ${Object.prototype.toString.call(value)}`)
}
