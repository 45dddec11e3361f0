import { makePgArray, parsePgArray } from 'drizzle-orm/pg-core'
import type postgres from 'postgres'
import { ConnectionLost, isConnectionLost, Unavailable } from '../errors.ts'

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

type Parameters = postgres.ParameterOrJSON<never>[]

/** The part of a connection that its adapted client needs. */
type State = { isOpen(): boolean; end(): void }

/**
 * The same client with three differences. After a loss it rejects every query at once. It prepares statements
 * with parameters, so that the server plans them once per connection, which is most of what a badge costs it;
 * Drizzle does so only for its query builder. And its transactions are our own.
 */
export function asWeNeedIt(client: postgres.Sql, { isOpen, end }: State): postgres.Sql {
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
