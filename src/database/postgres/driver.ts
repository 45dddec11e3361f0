import { makePgArray, parsePgArray } from 'drizzle-orm/pg-core'
import type postgres from 'postgres'
import { ConnectionLost, isConnectionLost, Unavailable } from '../errors.ts'
import { type Parameters, type Query, unnamed } from './unnamed.ts'

/**
 * The driver would ask every new connection for the types of arrays, and nobody would catch a failure: the
 * process would end (postgres.js 3.4.9, `fetchArrayTypes`). So it is told the only one that we send.
 */
export const typesThatWeSend = {
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

type Options = {
  readonly isOpen: () => boolean
  readonly end: () => void
  /** What begins each transaction, with its settings, where a pooler shares connections; else null. */
  readonly beginning: string | null
}

/** What of the driver is ours. */
type Own = {
  unsafe(statement: string, parameters?: Parameters): unknown
  begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T>
}

/**
 * The same client with three differences. After a loss it rejects every query at once. It prepares statements
 * with parameters, so that the server plans them once per connection, which is most of what a badge costs it;
 * Drizzle does so only for its query builder. And its transactions are our own.
 *
 * Where a pooler shares connections, nothing lasts longer than a transaction: there, no statement is prepared,
 * each transaction makes its own settings, and a statement that is in none gets one.
 */
export function asWeNeedIt(client: postgres.Sql, { isOpen, end, beginning }: Options): postgres.Sql {
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
    // Sent when whoever asks has said how they want the rows.
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
   * Sends `begin` together with the first statement. The driver would prepare `commit`, and a server that has
   * forgotten that statement would turn it into a rollback without an error (issue 1212). So it goes by the
   * simple protocol, and only what is answered with COMMIT is committed.
   */
  async function begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    const [, result] = await Promise.all([
      begun(),
      work(inTransaction as unknown as postgres.TransactionSql),
    ]).catch(async (error: unknown) => {
      // A rollback on a lost connection would wait for ever (postgres.js 3.4.9, issue 1154).
      if (isOpen() && !isConnectionLost(error)) await send('rollback')
      throw error
    })
    const { command } = await send('commit')
    mustBeCommit(command)
    return result
  }

  /** If `begin` fails, nothing after it may run; what was sent with it may have run by itself. */
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
