import type postgres from 'postgres'

/**
 * The same client, but every statement is prepared: the server plans it once a connection and not each
 * time, which is most of what a badge costs it. Drizzle has this only for its query builder.
 */
export function prepared(client: postgres.Sql): postgres.Sql {
  return new Proxy(client, {
    get(target, property) {
      if (property === 'unsafe') return unsafe
      if (property === 'begin') return begin
      return Reflect.get(target, property)
    },
  })

  function unsafe(query: string, parameters?: Parameters<postgres.Sql['unsafe']>[1]) {
    return client.unsafe(query, parameters, { prepare: true })
  }

  function begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>) {
    return client.begin((transaction) => work(prepared(transaction as unknown as postgres.Sql) as never))
  }
}
