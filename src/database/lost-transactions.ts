import type postgres from 'postgres'
import { isConnectionLost } from './unavailable.ts'

/**
 * The same client, but a transaction that loses its connection does no harm. The driver would write a rollback
 * to a socket that is gone, and that ends the process or leaves a connection which sends nothing any more
 * (postgres.js 3.4.9, issues 1066 and 1154).
 */
export function survivingLostTransactions(client: postgres.Sql): postgres.Sql {
  return new Proxy(client, {
    get: (target, property) => (property === 'begin' ? begin : Reflect.get(target, property)),
  })

  function begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>) {
    return client.begin((transaction) => unlessLost(work(transaction)))
  }
}

/** Never settles where the connection is lost: the driver rejects the transaction when it hears of the close. */
async function unlessLost<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isConnectionLost(error)) await new Promise(() => {})
    throw error
  }
}
