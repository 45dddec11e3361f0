import { Database, SQLiteError } from 'bun:sqlite'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { bellChannel } from './bell.ts'
import { setPlanner } from './connection.ts'
import type { Db, Queries } from './db.ts'
import { DatabaseUnusable, messageOf } from './errors.ts'
import { before, guard } from './guard.ts'
import { isMigrated, migrate } from './migrations.ts'

/** Opens the embedded database in a directory (null: in memory, for tests) and migrates it. */
export async function openEmbedded(
  dataDir: string | null,
  _tell: (news: string) => void = () => {},
): Promise<Db> {
  const unlock = dataDir === null ? () => {} : lockDirectory(dataDir)
  const client = await PGlite.create(dataDir === null ? {} : { dataDir: join(dataDir, 'postgres') })
  const database = drizzle(client, { casing: 'snake_case' })
  const queries = database as unknown as Queries
  if (!(await isMigrated(queries))) await migrate(queries)
  await client.exec(setPlanner)
  return {
    run: guard((work, until) => before(until, work(queries))),
    migrated: Promise.resolve(),
    hearBell(ring) {
      const listening = client.listen(bellChannel, ring)
      return async () => (await listening)()
    },
    async close() {
      await client.close()
      unlock()
    },
  }
}

/**
 * Holds an exclusive lock on the directory until the returned function is called: PGlite has none, and two
 * processes on one directory would destroy it. SQLite's file lock is the kernel's, so it
 * is gone with the process, also after kill -9.
 */
function lockDirectory(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true })
    const lock = new Database(join(dataDir, 'lock'), { create: true })
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
    chmodSync(dataDir, 0o700)
    return () => lock.close()
  } catch (error) {
    const isInUse = error instanceof SQLiteError && error.code === 'SQLITE_BUSY'
    throw new DatabaseUnusable(
      isInUse
        ? `${dataDir} is in use by another process: stop it, or set another DATA_DIR`
        : `DATA_DIR is "${dataDir}", which cannot be used (${messageOf(error)}): set a directory of our own`,
    )
  }
}
