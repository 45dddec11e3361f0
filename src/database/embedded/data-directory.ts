import { Database, SQLiteError } from 'bun:sqlite'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseUnusable, messageOf } from '../errors.ts'
import { syncFile } from './durable-fs.ts'

/** The version of Postgres in PGlite. */
const postgresVersion = '18'

export type DataDirectory = {
  /** Where the database is, or will be. */
  readonly path: string
  readonly isEmpty: boolean
  /** Releases the directory. */
  unlock(): void
}

/**
 * Locks a DATA_DIR for this process alone and checks what is in it. An existing directory keeps its mode; our
 * folder in it is for nobody else. Throws DatabaseUnusable.
 */
export function takeDirectory(dataDir: string): DataDirectory {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const unlock = lock(dataDir)
    const path = join(dataDir, 'postgres')
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o700)
    const isEmpty = readdirSync(path).length === 0
    if (!isEmpty) checkVersion(path)
    return { path, isEmpty, unlock }
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error
    throw new DatabaseUnusable(
      `DATA_DIR is "${dataDir}", which cannot be used (${messageOf(error)}): set a directory of our own`,
    )
  }
}

/**
 * Makes a database beside its place and moves it there once it is whole and on the disk, so that one which a
 * crash or a power cut broke off is made anew and never taken for a database.
 */
export async function makeDatabase(path: string, make: (path: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  await make(unfinished)
  for (const name of readdirSync(unfinished, { recursive: true })) syncFile(join(unfinished, String(name)))
  syncFile(unfinished)
  // An empty folder may be replaced.
  renameSync(unfinished, path)
  syncFile(dirname(path))
}

/** PGlite has no lock. SQLite's is the kernel's, so it ends with the process, even after kill -9. */
function lock(dataDir: string): () => void {
  try {
    const file = new Database(join(dataDir, 'lock'), { create: true })
    file.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
    return () => file.close()
  } catch (error) {
    if (!(error instanceof SQLiteError && error.code === 'SQLITE_BUSY')) throw error
    throw new DatabaseUnusable(`${dataDir} is in use by another process: stop it, or set another DATA_DIR`)
  }
}

function checkVersion(path: string): void {
  const file = join(path, 'PG_VERSION')
  const version = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  if (version === postgresVersion) return
  throw new DatabaseUnusable(
    version === null
      ? `${path} has files but no PG_VERSION, as a copy that was broken off: put a whole one there, or empty it for a new database`
      : `${path} is of Postgres ${version}, and this is ${postgresVersion}: dump it with the Shipfeed that wrote it, and restore that with this one into another DATA_DIR`,
  )
}
