import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import postgres from 'postgres'
import { derivedTables, dumpedTables } from '../../src/data/dump/format-and-tables.ts'
import { type Db, rowsOf } from '../../src/database/db.ts'
import { openEmbedded } from '../../src/database/embedded/open.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { fillDataDirectory, openInMemory } from './in-memory-database.ts'

/** The Postgres to test on, or undefined for the embedded database. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL

/** An embedded database in a directory, once it is migrated. */
export async function openEmbeddedDatabase(dataDir: string): Promise<Db> {
  const db = openEmbedded(dataDir)
  await db.migrated
  return db
}

/** An empty, migrated database that nobody else uses. */
export async function openTestDatabase(): Promise<Db> {
  if (testDatabaseUrl === undefined) return await openInMemory()
  const { url, drop } = await createPostgresDatabase(testDatabaseUrl)
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

/** A database of its own on the server of this address, and how to get rid of it. */
export async function createPostgresDatabase(
  serverUrl: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `shipfeed_test_${crypto.randomUUID().replaceAll('-', '')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await onServer(serverUrl, `create database ${name}`)
  return { url: url.href, drop: () => onServer(serverUrl, `drop database ${name} with (force)`) }
}

/** A database for a spawned process: the environment that names it, and how to get rid of it. */
type Spawned = { readonly environment: Record<string, string>; drop(): Promise<void> }

/** Makes one on the Postgres to test on or on a given one, or an embedded one (null), already migrated, below this directory. */
export async function databaseForProcess(
  directory: string,
  serverUrl: string | null = testDatabaseUrl ?? null,
): Promise<Spawned> {
  if (serverUrl === null) {
    const dataDir = join(directory, 'data')
    await fillDataDirectory(dataDir)
    return { environment: { DATA_DIR: dataDir }, async drop() {} }
  }
  const { url, drop } = await createPostgresDatabase(serverUrl)
  return { environment: { DATABASE_URL: url }, drop }
}

/**
 * Deletes every row, and not by truncate, which deadlocks with a page that is still being read; ids go on
 * counting.
 */
export async function emptyDatabase(db: Db): Promise<void> {
  // Owners come first, so most rows go with them; what triggers note of it comes last.
  const deleting = [...dumpedTables, ...derivedTables].map((table) => `delete from ${table};`)
  await db.write((queries) => queries.execute(sql.raw(`do $$ begin ${deleting.join(' ')} end $$`)))
}

/** Runs a raw statement on the store, past every rule of the service. */
export function query<Row>(db: Db, statement: SQL): Promise<readonly Row[]> {
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

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = postgres(serverUrl, { max: 1, onnotice: () => {} })
  try {
    await client.unsafe(statement)
  } finally {
    await client.end()
  }
}
