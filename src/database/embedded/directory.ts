import { Database, SQLiteError } from 'bun:sqlite'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseUnusable, messageOf } from '../errors.ts'

/** The Postgres version of PGlite. */
const postgresVersion = '18'

const syncsAtOnce = 16

export type DataDirectory = Readonly<ReturnType<typeof takeDirectory>>

/** Locks a DATA_DIR, makes our folder in it private to its owner, and checks its content. Throws DatabaseUnusable. */
export function takeDirectory(dataDir: string) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const unlock = lock(dataDir)
    const path = join(dataDir, 'postgres')
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o700)
    const isEmpty = !hasDatabase(dataDir)
    if (!isEmpty) checkVersion(path)
    return { path, isEmpty, unlock, [Symbol.dispose]: unlock }
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error
    throw new DatabaseUnusable(
      `DATA_DIR is "${dataDir}", which cannot be used (${messageOf(error)}): set it to a directory that belongs to the user of this process, on a disk with free space`,
    )
  }
}

/** A first start that was interrupted leaves an empty folder. */
export function hasDatabase(dataDir: string): boolean {
  const path = join(dataDir, 'postgres')
  return existsSync(path) && readdirSync(path).length > 0
}

/** Moves a new database into place only when it is complete and on disk, so that a crash cannot leave a part of one. */
export async function makeDatabase(path: string, make: (path: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  await make(unfinished)
  await syncAll(unfinished)
  // rename() replaces an empty folder.
  renameSync(unfinished, path)
  syncFile(dirname(path))
}

/** Syncs a file, or a folder's list of files, to the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Syncing several files at once takes little longer than one. */
async function syncAll(folder: string): Promise<void> {
  const names = ['.', ...readdirSync(folder, { recursive: true })].values()
  const syncing = Array.from({ length: syncsAtOnce }, async () => {
    for (const name of names) {
      const file = await open(join(folder, String(name)))
      await file.sync().finally(() => file.close())
    }
  })
  await Promise.all(syncing)
}

/** PGlite has no lock, so SQLite locks a file. The lock ends with the process, even after `kill -9`. */
function lock(dataDir: string): () => void {
  const path = join(dataDir, 'lock')
  // Only the owner may open it: otherwise, another user could hold the lock.
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  try {
    const file = new Database(path)
    file.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
    return () => file.close()
  } catch (error) {
    if (!(error instanceof SQLiteError && error.code === 'SQLITE_BUSY')) throw error
    throw new DatabaseUnusable(`${dataDir} is in use by another process: stop it, or set another DATA_DIR`)
  }
}

function checkVersion(path: string): void {
  const file = join(path, 'PG_VERSION')
  const version = (existsSync(file) && readFileSync(file, 'utf8').trim()) || null
  if (version === postgresVersion) return
  throw new DatabaseUnusable(
    version === null
      ? `${path} has files but no valid PG_VERSION, like an incomplete copy: restore a complete copy there, or empty the folder to start with a new database`
      : `${path} belongs to Postgres ${version}, but this Shipfeed contains Postgres ${postgresVersion}: dump it with the Shipfeed that wrote it, and restore the dump with this one into another DATA_DIR`,
  )
}
