import { Database } from 'bun:sqlite'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { Db, Queries } from './database.ts'
import { guard } from './guard.ts'
import { migrationsFolder } from './migrations.ts'
import * as schema from './schema.ts'

/** Two processes on one directory would destroy it: PGlite itself has no lock (stack facts 9.2). */
export class DataDirectoryInUse extends Error {}

/** Opens the embedded database in a directory (null: in memory, for tests) and migrates it. */
export async function openEmbedded(dataDir: string | null): Promise<Db> {
  const unlock = dataDir === null ? () => {} : lockDirectory(dataDir)
  const client = await PGlite.create(dataDir === null ? {} : { dataDir: join(dataDir, 'postgres') })
  const database = drizzle(client, { schema, casing: 'snake_case' })
  await migrate(database, { migrationsFolder })
  return {
    run: guard(database as unknown as Queries),
    migrated: Promise.resolve(),
    async close() {
      await client.close()
      unlock()
    },
  }
}

/**
 * Holds an exclusive lock on the directory until the returned function is called. SQLite's file lock is
 * the kernel's, so it is gone with the process, also after kill -9.
 */
function lockDirectory(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const lock = new Database(join(dataDir, 'lock'), { create: true })
  try {
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
  } catch {
    lock.close()
    throw new DataDirectoryInUse(`${dataDir} is in use by another process: stop it, or set another DATA_DIR`)
  }
  chmodSync(dataDir, 0o700)
  return () => lock.close()
}
