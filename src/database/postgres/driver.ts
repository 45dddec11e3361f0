import { makePgArray, parsePgArray } from 'drizzle-orm/pg-core'
import type postgres from 'postgres'
import { ConnectionLost, isConnectionLost, Unavailable } from '../errors.ts'

/**
 * Declares `texts`, the only array type that we send, because the driver may end the process if it asks for all array
 * types (postgres.js 3.4.9, `fetchArrayTypes`). int8 is read as a number: ours are ids and counts, far
 * below 2^53.
 */
export const ourTypes = {
  fetch_types: false,
  types: {
    texts: {
      to: 1009,
      from: [1009],
      // Drizzle has turned the arrays of its columns into text already.
      serialize: (value: string[] | string) => (typeof value === 'string' ? value : makePgArray(value)),
      parse: parsePgArray,
    },
    int8: { to: 20, from: [20], serialize: String, parse: Number },
  },
}

type Options = {
  readonly state: { readonly isOpen: boolean }
  readonly end: () => void
  /** Begins a transaction with its settings if a pooler shares connections; else null. */
  readonly beginning: string | null
}

/**
 * Once its connection is lost, this client rejects every query at once. It prepares every statement that has
 * parameters, because planning is most of what a badge costs the server. If a pooler shares connections, nothing may
 * outlast a transaction: no statement is prepared, and each transaction applies its own settings.
 */
export function adaptClient(client: postgres.Sql, { state, end, beginning }: Options): postgres.Sql {
  const inTransaction = withOwn({ unsafe: send, begin })
  return beginning === null ? inTransaction : withOwn({ unsafe: alone, begin })

  function withOwn(own: object): postgres.Sql {
    return new Proxy(client, {
      get: (target, property) => Reflect.get(property in own ? own : target, property),
    })
  }

  function send(statement: string, parameters: Parameters = []): Query {
    if (!state.isOpen) throw new ConnectionLost()
    if (beginning === null) return client.unsafe(statement, parameters, { prepare: true })
    if (parameters.length === 0) return client.unsafe(statement)
    // The driver would ask the server for the types of parameters (postgres.js 3.4.9, `describeFirst`), and hold the
    // feed's lock for another round trip. It does not if the parameters are set on the query, as text: the server
    // infers their types.
    const extended = { simple: false, prepare: false }
    const query = client.unsafe(statement, [], extended)
    return Object.assign(query, { parameters: parameters.map(textOf) })
  }

  /** Sends a statement together with its own `begin` and `commit`. */
  function alone(statement: string, parameters?: Parameters) {
    const query = send(statement, parameters)
    // Awaiting a query sends it. So we await it one microtask later, once the caller has chosen the rows' format.
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
   * Sends `begin` together with the first statement. The driver's own `begin` prepares `commit`. If the server has lost
   * this prepared statement, the transaction fails, and the driver's second `commit` rolls it back without an error
   * (postgres.js 3.4.9, issue 1212). Here, `commit` is not prepared, and only the answer COMMIT counts: a failed
   * transaction answers ROLLBACK without an error.
   */
  async function begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    const [, result] = await Promise.all([
      begun(),
      work(inTransaction as unknown as postgres.TransactionSql),
    ]).catch(async (error: unknown) => {
      // On a lost connection, a rollback would wait forever (postgres.js 3.4.9).
      if (state.isOpen && !isConnectionLost(error)) await send('rollback')
      throw error
    })
    const { command } = await send('commit')
    mustBeCommit(command)
    return result
  }

  /** If `begin` fails, the next statement may have run outside a transaction, so the connection is ended. */
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

function textOf(value: Parameters[number]): string | null {
  if (value === null) return null
  if (Array.isArray(value)) return makePgArray(value)
  if (['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return String(value)
  throw new TypeError(`this parameter cannot be turned into text: ${Object.prototype.toString.call(value)}`)
}
