import { makePgArray, parsePgArray } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { survivingLostTransactions } from './lost-transactions.ts'

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

/** Opens the driver on a Postgres address, without what it does to the process when a connection is lost. */
export function openClient(url: string, options: Options): postgres.Sql {
  return survivingLostTransactions(
    postgres(url, { connect_timeout: 5, onnotice: () => {}, ...arrays, ...options }),
  )
}
