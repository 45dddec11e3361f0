import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Queries } from '../../src/database/db.ts'
import { createPostgresDatabase, testDatabaseUrl } from '../support/database.ts'
import { createInMemory } from '../support/in-memory-database.ts'

/** Queries of an empty database without a schema; on Postgres, also those of a second connection to it. */
export async function useBareDatabase(): Promise<
  { queries: Queries; others: Queries | null } & AsyncDisposable
> {
  if (testDatabaseUrl === undefined) {
    const client = await createInMemory()
    return {
      queries: asQueries(drizzlePglite(client)),
      others: null,
      [Symbol.asyncDispose]: () => client.close(),
    }
  }
  const { url, drop } = await createPostgresDatabase(testDatabaseUrl)
  const clients = [1, 2].map(() => postgres(url, { max: 1, onnotice: () => {} }))
  const [queries, others] = clients.map((client) => asQueries(drizzlePostgres(client))) as [Queries, Queries]
  return {
    queries,
    others,
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.end()
      await drop()
    },
  }
}

function asQueries(database: unknown): Queries {
  return database as Queries
}
