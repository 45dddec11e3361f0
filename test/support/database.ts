import { getTableName, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { type Db, type Queries, rowsOf } from '../../src/database/db.ts'
import { databaseFunctions } from '../../src/database/functions.ts'
import { openLocal } from '../../src/database/local/open.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { tables } from '../../src/table-uses.ts'
import { startTestServer } from './postgres/test-server.ts'
import { afterThisProcess } from './process.ts'

/** The Postgres server to test on. `npm test` starts one for all; a single run of `bun test` starts its own. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL || (await startForThisProcess())

async function startForThisProcess(): Promise<string> {
  const { url, pid, folder } = await startTestServer()
  afterThisProcess('sh', '-c', 'kill -QUIT "$0"; sleep 1; rm -rf "$1"', String(pid), folder)
  // Files that start processes of their own find it here.
  process.env.TEST_DATABASE_URL = url
  return url
}

/** A database on the server of the tests, and how to get rid of it. */
export type TestDatabase = { readonly url: string; drop(): Promise<void> }

/** An empty, migrated database that nobody else uses. */
export async function openTestDatabase(): Promise<Db> {
  const { url, drop } = await createMigratedDatabase()
  const db = await openPostgres(url)
  await db.migrated
  return {
    ...db,
    async close() {
      await db.close()
      await drop()
    },
  }
}

/** The database in a directory, which is made if there is none. */
export async function openLocalDatabase(dataDir: string): Promise<Db> {
  const db = await openLocal(dataDir, () => {})
  await db.migrated
  return db
}

/** A database without a schema. */
export async function createPostgresDatabase(serverUrl = testDatabaseUrl): Promise<TestDatabase> {
  return await createDatabase(serverUrl, '')
}

/** A migrated database, as a copy of one that is migrated once for all tests: that takes a tenth of the time. */
export async function createMigratedDatabase(serverUrl = testDatabaseUrl): Promise<TestDatabase> {
  return await createDatabase(serverUrl, `template ${await templateOn(serverUrl)}`)
}

async function createDatabase(serverUrl: string, from: string): Promise<TestDatabase> {
  const name = `shipfeed_test_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, (client) => client.unsafe(`create database ${name} ${from}`))
  return {
    url: databaseOn(serverUrl, name),
    drop: () =>
      onServer(serverUrl, (client) => client.unsafe(`drop database if exists ${name} with (force)`)),
  }
}

/** Processes that need the template at the same time wait for the first of them. */
const templateLock = 1

/** The name of the migrated template, which is made if this server has none for this schema. */
async function templateOn(serverUrl: string): Promise<string> {
  const name = `shipfeed_template_${databaseFunctions().hash.slice(0, 16)}`
  await onServer(serverUrl, async (client) => {
    await client.unsafe(`select pg_advisory_lock(${templateLock})`)
    const [found] = await client.unsafe(`select from pg_database where datname = '${name}'`)
    if (found !== undefined) return
    const unfinished = `${name}_unfinished`
    await client.unsafe(`drop database if exists ${unfinished} with (force)`)
    await client.unsafe(`create database ${unfinished}`)
    const db = await openPostgres(databaseOn(serverUrl, unfinished))
    await db.migrated
    await db.close()
    await client.unsafe(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}

function databaseOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function onServer<T>(serverUrl: string, work: (client: postgres.Sql) => Promise<T>): Promise<void> {
  const client = postgres(serverUrl, { max: 1, onnotice: () => {} })
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** A database for a spawned process: the environment that names it, and how to get rid of it. */
type Spawned = { readonly environment: Record<string, string>; drop(): Promise<void> }

/** Makes one on the server of the tests or on a given one, already migrated. */
export async function databaseForProcess(serverUrl = testDatabaseUrl): Promise<Spawned> {
  const { url, drop } = await createMigratedDatabase(serverUrl)
  return { environment: { DATABASE_URL: url }, drop }
}

/** The tables of a dump, in its order. */
export const dumpedTables = tables.map(({ table }) => getTableName(table))

/** Those that no dump has, and what fills them again. */
export const derivedTables: Readonly<Record<string, string>> = {
  target_days: 'triggers',
  user_stamps: 'triggers, and the restore itself',
  search_pages: 'the indexing of words',
  search_batches: 'the indexing of words',
  search_changes: 'triggers',
  served_at: 'a start',
}

/**
 * Deletes every row, and not by truncate, which deadlocks with a page that is still being read; ids go on
 * counting.
 */
export async function emptyDatabase(db: Db): Promise<void> {
  // Owners come first, so most rows go with them; what triggers note of it comes last.
  const deleting = [...dumpedTables, ...Object.keys(derivedTables)].map((table) => `delete from ${table};`)
  await db.writeAtLength((queries) => queries.execute(sql.raw(`do $$ begin ${deleting.join(' ')} end $$`)))
}

/** Runs a raw statement on the store, past every rule of the service and without its deadlines. */
export function query<Row>(db: Db, statement: SQL): Promise<readonly Row[]> {
  return db.writeAtLength((queries) => rowsOf<Row>(queries, statement))
}

/** The same by a connection and within the time of a request. */
export function queryInTime<Row>(db: Db, statement: SQL): Promise<readonly Row[]> {
  return db.write((queries) => rowsOf<Row>(queries, statement))
}

/** A stand-in for a store: every use of it calls this function. */
export function standInDatabase(use: () => unknown): Db {
  return {
    write: async () => (await use()) as never,
    readPrimary: async () => (await use()) as never,
    read: async () => (await use()) as never,
    snapshot: async () => (await use()) as never,
    writeAtLength: async () => (await use()) as never,
    migrated: Promise.resolve(),
    hearBell: () => ({ isHeard: true, stop: async () => {} }),
    close: async () => {},
  }
}

/** A store that runs all its queries by this function. */
export function runBy(run: Db['write'], db: Db): Db {
  return { ...db, read: run, readPrimary: run, write: run }
}

/** A store that answers every query with this error. */
export function failingDatabase(error: unknown): Db {
  return standInDatabase(() => Promise.reject(error))
}

/** Queries of a database without a schema, and those of a second connection to it. */
export async function useBareDatabase(): Promise<{ queries: Queries; others: Queries } & AsyncDisposable> {
  const { url, drop } = await createPostgresDatabase()
  const clients = [1, 2].map(() => postgres(url, { max: 1, onnotice: () => {} }))
  const [queries, others] = clients.map((client) => drizzle(client) as unknown as Queries) as [
    Queries,
    Queries,
  ]
  return {
    queries,
    others,
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.end()
      await drop()
    },
  }
}
