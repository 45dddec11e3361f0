import { Database, SQLiteError } from 'bun:sqlite'
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnusable, messageOf } from '../errors.ts'

/** A DATA_DIR that this process has locked. */
export type DataDirectory = Disposable & {
  /** Without links, so that all processes name a folder alike. */
  readonly dataDir: string
  /** The folder of the database, which may be missing or empty. */
  readonly path: string
}

/** Makes and locks a DATA_DIR. Null if another process has it. Throws DatabaseUnusable. */
export function takeDirectory(dataDir: string): DataDirectory | null {
  return usable(dataDir, () => {
    // Others may enter it but not list it: the user of Postgres may be another one (system-user.ts).
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    const real = realpathSync(dataDir)
    const unlock = lock(real)
    return unlock && { dataDir: real, path: folderIn(real), [Symbol.dispose]: unlock }
  })
}

export function folderIn(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/** Where a database on its way from PGlite is, as a dump, until Postgres has all of it. */
export function moveFileIn(dataDir: string): string {
  return join(dataDir, 'from-pglite.dump')
}

/** For commands. Throws DatabaseUnusable also if the database has not been moved from PGlite. */
export function hasDatabase(dataDir: string): boolean {
  return usable(dataDir, () => {
    refuseUnmoved(dataDir)
    return majorOf(folderIn(dataDir)) !== null
  })
}

/** Also if it is that of another version. */
export function hasLocalDatabase(dataDir: string): boolean {
  return existsSync(join(folderIn(dataDir), 'PG_VERSION'))
}

/** Commands could otherwise write into a new database before the old one is in it. */
export function refuseUnmoved(dataDir: string): void {
  const path = folderIn(dataDir)
  if (!isOfPglite(path) && !existsSync(moveFileIn(dataDir))) return
  throw new DatabaseUnusable(
    `${path} was made by Shipfeed 1.1.0 or older: start the service on it once, and wait until it has moved it to Postgres`,
  )
}

/** The major version of the Postgres that made this database, or null if there is none. Throws DatabaseUnusable. */
export function majorOf(path: string): number | null {
  if (!existsSync(path) || readdirSync(path).length === 0) return null
  const file = join(path, 'PG_VERSION')
  const major = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (major > 0) return major
  throw new DatabaseUnusable(
    `${path} has files but no valid PG_VERSION, like an incomplete copy: restore a complete copy there, or empty the folder to start with a new database`,
  )
}

/** Where `pg_control` of Postgres 18, and of no other, says whether 8-byte numbers are passed by value: not in WebAssembly. */
const float8ByValue = 0xf8

/** Until version 1.1.0, the database was PGlite, a Postgres 18 for 32 bits, whose files no other Postgres reads. */
export function isOfPglite(path: string): boolean {
  const control = join(path, 'global/pg_control')
  return (
    existsSync(control) &&
    !existsSync(join(path, 'postmaster.opts')) &&
    majorOf(path) === 18 &&
    readFileSync(control)[float8ByValue] === 0
  )
}

function usable<T>(dataDir: string, use: () => T): T {
  try {
    return use()
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error
    throw new DatabaseUnusable(
      `DATA_DIR is "${dataDir}", which cannot be used (${messageOf(error)}): set it to a directory that belongs to the user of this process, on a disk with free space`,
    )
  }
}

/** Two processes that try at once are both refused, unless each tries again for a moment. */
const busyMs = 50

/** Null if it is locked. SQLite's lock on a file ends with the process, even after `kill -9`. */
function lock(dataDir: string): (() => void) | null {
  const path = join(dataDir, 'lock')
  makePrivate(path, dataDir)
  try {
    const file = new Database(path)
    file.exec(`pragma busy_timeout = ${busyMs}; pragma journal_mode = memory; begin exclusive`)
    return () => file.close()
  } catch (error) {
    if (!(error instanceof SQLiteError && error.code === 'SQLITE_BUSY')) throw error
    return null
  }
}

/** Only the owner of DATA_DIR may open the lock: otherwise, another user could hold it. */
function makePrivate(path: string, dataDir: string): void {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants
  const file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
  fchmodSync(file, 0o600)
  const { uid, gid } = statSync(dataDir)
  // Root may run a command before the service runs as that user.
  if (process.getuid?.() === 0) fchownSync(file, uid, gid)
  closeSync(file)
}
