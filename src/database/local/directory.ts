import { Database, SQLiteError } from 'bun:sqlite'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnusable, messageOf } from '../errors.ts'

/** A DATA_DIR that this process has locked. */
export type DataDirectory = Disposable & {
  readonly dataDir: string
  /** The folder of the database, which may be missing or empty. */
  readonly path: string
}

/** Makes and locks a DATA_DIR. Null if another process has it. Throws DatabaseUnusable. */
export function takeDirectory(dataDir: string): DataDirectory | null {
  try {
    // Others may enter it but not list it: the user of Postgres may be another one (system-user.ts).
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    const unlock = lock(join(dataDir, 'lock'))
    return unlock && { dataDir, path: folderIn(dataDir), [Symbol.dispose]: unlock }
  } catch (error) {
    throw new DatabaseUnusable(
      `DATA_DIR is "${dataDir}", which cannot be used (${messageOf(error)}): set it to a directory that belongs to the user of this process, on a disk with free space`,
    )
  }
}

export function folderIn(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/** The kind of database in a DATA_DIR; `version` is the major version of Postgres. */
export type DataContent =
  | { readonly kind: 'none' }
  | { readonly kind: 'pglite' }
  | { readonly kind: 'postgres'; readonly version: number }

/** Throws DatabaseUnusable if the folder of the database has other files. */
export function contentOf(dataDir: string): DataContent {
  const path = folderIn(dataDir)
  if (!existsSync(path) || readdirSync(path).length === 0) return { kind: 'none' }
  const file = join(path, 'PG_VERSION')
  const version = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (!(version > 0)) {
    throw new DatabaseUnusable(
      `${path} has files but no valid PG_VERSION, like an incomplete copy: restore a complete copy there, or empty the folder to start with a new database`,
    )
  }
  return isOfPglite(path) ? { kind: 'pglite' } : { kind: 'postgres', version }
}

/** Where `pg_control` of Postgres 18 says whether 8-byte numbers are passed by value: not in WebAssembly. */
const float8ByValue = 0xf8

/** Until version 1.1.0, the database was PGlite, a Postgres 18 for 32 bits, whose files no other Postgres reads. */
function isOfPglite(path: string): boolean {
  const control = join(path, 'global/pg_control')
  return (
    existsSync(control) &&
    !existsSync(join(path, 'postmaster.opts')) &&
    readFileSync(control)[float8ByValue] === 0
  )
}

/** Null if it is locked. SQLite's lock on a file ends with the process, even after `kill -9`. */
function lock(path: string): (() => void) | null {
  // Only the owner may open it: otherwise, another user could hold the lock.
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  try {
    const file = new Database(path)
    file.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
    return () => file.close()
  } catch (error) {
    if (!(error instanceof SQLiteError && error.code === 'SQLITE_BUSY')) throw error
    return null
  }
}
