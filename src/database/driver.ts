import { makePgArray, parsePgArray } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { isConnectionLost } from './errors.ts'

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

export type Options = postgres.Options<typeof arrays.types>

/** Opens postgres.js on an address, as we need it. */
export function openClient(url: string, options: Options): postgres.Sql {
  return asWeNeedIt(postgres(url, { connect_timeout: 5, onnotice: () => {}, ...arrays, ...options }))
}

type Parameters = postgres.ParameterOrJSON<never>[]

/**
 * The same client, or transaction, with two differences. Every statement that has parameters is prepared: the
 * server plans it once a connection and not each time, which is most of what a badge costs it, and Drizzle
 * has this only for its query builder. And a transaction that loses its connection does no harm: see unlessLost.
 */
function asWeNeedIt(client: postgres.Sql): postgres.Sql {
  return new Proxy(client, {
    get(target, property) {
      if (property === 'unsafe') return unsafe
      if (property === 'begin') return begin
      return Reflect.get(target, property)
    },
  })

  function unsafe(query: string, parameters?: Parameters) {
    return client.unsafe(query, parameters, { prepare: true })
  }

  function begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>) {
    return client.begin((transaction) =>
      unlessLost(work(asWeNeedIt(transaction as unknown as postgres.Sql) as never)),
    )
  }
}

/**
 * Never settles where the connection is lost: the driver rejects the transaction when it hears of the close.
 * Otherwise it would write a rollback to a socket that is gone, and that ends the process or leaves a
 * connection which sends nothing any more (postgres.js 3.4.9, issues 1066 and 1154).
 */
async function unlessLost<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isConnectionLost(error)) await new Promise(() => {})
    throw error
  }
}
