import { chmodSync, chownSync, realpathSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Report } from '../db.ts'
import { DatabaseUnusable, messageOf } from '../errors.ts'
import { createDatabase, localUrl, setPassword } from './creation.ts'
import { type DataDirectory, folderIn, majorOf, refuseUnmoved, takeDirectory } from './directory.ts'
import { endFormer, socketFolderOf } from './former.ts'
import { readPassword, writePassword } from './password.ts'
import { type ServerProcess, type Start, startPostgres } from './process.ts'
import { findPrograms } from './programs.ts'
import { isTemporary, socketFolderFor } from './socket-folder.ts'
import { systemUserFor } from './system-user.ts'

/** The Postgres of a DATA_DIR. */
type LocalServer = {
  /** Where it is reached, with its password. */
  readonly url: string
  /** Resolves when it first accepts connections. Rejects with DatabaseUnusable. */
  readonly started: Promise<void>
  stop(): Promise<void>
}

/** How long a service waits for a command to leave DATA_DIR, and a command for a service that is starting. */
const waitMs = { service: 5_000, command: 10_000 }

const firstPauseMs = 250
const slowestPauseMs = 10_000
/** A Postgres that ran this long has started well. */
const steadyMs = 60_000
/**
 * Reasons that pass by themselves: processes of a killed Postgres have not ended yet, one of this Postgres was killed,
 * or it hung. A first start that fails for one of them is repeated, if it began within this time.
 */
const passing = /still in use|already exists|signal 9|SIGKILL|did not answer/
const passingMs = 10_000

/**
 * Starts the Postgres in a DATA_DIR, and starts it again if it ends or hangs. With `joins`, uses that of the process
 * that has the DATA_DIR, if there is one. Throws DatabaseUnusable.
 */
export async function openServer(
  dataDir: string,
  report: Report,
  { joins = false } = {},
): Promise<LocalServer> {
  if (joins) refuseUnmoved(dataDir)
  const endsAt = performance.now() + (joins ? waitMs.command : waitMs.service)
  do {
    const directory = takeDirectory(dataDir)
    if (directory !== null) return runServer(directory, report)
    const running = joins ? runningServer(dataDir) : null
    if (running !== null) return running
    await Bun.sleep(50)
  } while (performance.now() < endsAt)
  throw new DatabaseUnusable(
    joins
      ? `the database in ${dataDir} is not open yet: try again`
      : `${dataDir} is in use by another process: stop it, or set another DATA_DIR`,
  )
}

/** The server of another process; null while it accepts no connections. */
function runningServer(dataDir: string): LocalServer | null {
  const path = folderIn(realpathSync(dataDir))
  const socketFolder = socketFolderOf(path)
  const password = readPassword(path)
  if (socketFolder === null || password === null) return null
  return { url: localUrl(password, socketFolder), started: Promise.resolve(), async stop() {} }
}

function runServer(directory: DataDirectory, report: Report): LocalServer {
  const { dataDir, path } = directory
  const formerPassword = readPassword(path)
  const password = formerPassword ?? crypto.randomUUID()
  const socketFolder = socketFolderFor(path)
  const url = localUrl(password, socketFolder)
  const { promise: started, resolve: hasStarted, reject } = Promise.withResolvers<void>()
  const stopping = new AbortController()
  let running: ServerProcess | null = null
  // Who waits for it later gets the error then.
  started.catch(() => {})
  process.on('exit', leave)
  const work = keepRunning().catch(reject)

  return {
    url,
    started,
    async stop() {
      stopping.abort()
      await running?.end()
      await work
      leave()
      process.off('exit', leave)
      directory[Symbol.dispose]()
    },
  }

  /** However this process ends, its Postgres ends as well. */
  function leave(): void {
    running?.interrupt()
    if (isTemporary(socketFolder)) rmSync(socketFolder, { recursive: true, force: true })
  }

  async function keepRunning(): Promise<void> {
    const start = await prepare().catch((error: unknown) => {
      throw error instanceof DatabaseUnusable ? error : cannotOpen(messageOf(error))
    })
    const begunAt = performance.now()
    let isFirst = true
    let pauseMs = firstPauseMs
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      running = startPostgres(start)
      void running.ready.then(() => {
        isFirst = false
        hasStarted()
      })
      const reason = await running.ended
      if (stopping.signal.aborted) return
      const mayPass = passing.test(reason) && startedAt < begunAt + passingMs
      if (isFirst && !mayPass) throw cannotOpen(reason)
      report(`Postgres has ended (${reason}), and is started again`, 'database_ended')
      if (performance.now() > startedAt + steadyMs) pauseMs = firstPauseMs
      await sleep(pauseMs, null, { signal: stopping.signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, slowestPauseMs)
    }
  }

  function cannotOpen(reason: string): DatabaseUnusable {
    return new DatabaseUnusable(
      `the database in ${path} cannot be opened (${reason}): check the free space, the memory and the permissions of its files, and restore a backup only if these are in order`,
    )
  }

  /** Makes the database if there is none, and whatever else a start needs. */
  async function prepare(): Promise<Start> {
    const major = majorOf(path)
    report(major === null ? `Creating a database in ${path}` : `Opening ${path}`, 'database_opening')
    const programs = await findPrograms(dataDir, major)
    const user = await systemUserFor(dataDir, path, programs)
    if (major === null) {
      await createDatabase({ path, programs, user }, password)
    } else {
      // A copy may have another mode, which Postgres refuses.
      chmodSync(path, 0o700)
      await endFormer(path, report)
      if (formerPassword === null) {
        await setPassword({ path, programs, user }, password)
        writePassword(path, user, password)
      }
    }
    const { uid, gid = -1 } = user.ids
    if (isTemporary(socketFolder) && uid !== undefined) chownSync(socketFolder, uid, gid)
    return { path, socketFolder, url, programs, user, report }
  }
}
