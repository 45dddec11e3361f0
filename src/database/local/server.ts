import { chmodSync, chownSync, realpathSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Report, settleBy } from '../db.ts'
import { codeOf, DatabaseUnusable, messageOf } from '../errors.ts'
import { routeTo } from '../postgres/route.ts'
import { poolSettings } from '../session-settings.ts'
import { createDatabase, localUrl, setPassword } from './creation.ts'
import { type DataDirectory, folderIn, majorOf, refuseUnmoved, takeDirectory } from './directory.ts'
import { forcible } from './ending.ts'
import { endFormer, socketFolderOf } from './former.ts'
import { readPassword, writePassword } from './password.ts'
import { type ServerProcess, startPostgres } from './process.ts'
import { findPrograms } from './programs.ts'
import { isTemporary, socketFolderFor } from './socket-folder.ts'
import { systemUserFor } from './system-user.ts'

/** The Postgres of a DATA_DIR. */
export type LocalServer = {
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
/** For this long, a first start waits until the processes of a killed Postgres have ended. */
const formerMs = 10_000

const lookEveryMs = 5_000
/** It is asked twice: if this process itself stood still, only the first answer is late. */
const answerMs = 2_500

/**
 * Starts the Postgres in a DATA_DIR, and starts it again if it ends or is silent for 5 s. With `joins`, uses that of
 * the process that has the DATA_DIR, if there is one. Throws DatabaseUnusable.
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
    for (
      let pauseMs = firstPauseMs;
      !stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, slowestPauseMs)
    ) {
      const startedAt = performance.now()
      const server = startPostgres(start)
      running = server
      void server.ready.then(() => {
        isFirst = false
        hasStarted()
        void watch(server)
      })
      const reason = await server.ended
      if (stopping.signal.aborted) return
      const isOfFormer = /still in use|already exists/.test(reason) && startedAt < begunAt + formerMs
      if (isFirst && !isOfFormer) throw cannotOpen(reason)
      if (performance.now() > startedAt + steadyMs) pauseMs = firstPauseMs
      if (!isFirst) report(`Postgres has ended (${reason}), and is started again`, 'database_ended')
      await wait(pauseMs)
    }
  }

  function cannotOpen(reason: string): DatabaseUnusable {
    return new DatabaseUnusable(
      `the database in ${path} cannot be opened (${reason}): check the free space, the memory and the permissions of its files, and restore a backup only if these are in order`,
    )
  }

  /** Makes the database if there is none, and whatever else a start needs. */
  async function prepare() {
    const major = majorOf(path)
    report(major === null ? `Creating a database in ${path}` : `Opening ${path}`, 'database_opening')
    const programs = await findPrograms(dataDir, major)
    const user = await systemUserFor(dataDir, path, programs)
    if (major === null) {
      await createDatabase(path, programs, user, password)
    } else {
      // A copy may have another mode, which Postgres refuses.
      chmodSync(path, 0o700)
      await endFormer(path, report)
      if (formerPassword === null) {
        await setPassword(path, programs, user, password)
        writePassword(path, user, password)
      }
    }
    const { uid, gid = -1 } = user.ids
    if (isTemporary(socketFolder) && uid !== undefined) chownSync(socketFolder, uid, gid)
    const onTrouble = (says: string) => report(`Postgres says: ${says}`, 'database_trouble')
    return { path, socketFolder, programs, user, onTrouble }
  }

  /** Ends a Postgres that does not answer, so that it is started again. */
  async function watch(server: ServerProcess): Promise<void> {
    const isWatched = () => server.isRunning() && !stopping.signal.aborted
    let isSilent = false
    while (isWatched() && !isSilent) {
      await wait(lookEveryMs)
      isSilent = isWatched() && !(await answers(url)) && !(await answers(url)) && isWatched()
    }
    if (!isSilent) return
    report('Postgres does not answer, and is ended', 'database_trouble')
    await server.end(forcible)
  }

  /** Until the time is over or this server is stopped. */
  async function wait(ms: number): Promise<void> {
    await sleep(ms, null, { signal: stopping.signal }).catch(() => {})
  }
}

/** Whether the server answers a new connection, if only with an error of its own. */
async function answers(url: string): Promise<boolean> {
  const asking = async () => {
    using connection = await routeTo(url).direct(poolSettings)
    await connection.queries.execute(sql`select 1`)
  }
  try {
    await settleBy(performance.now() + answerMs, asking())
    return true
  } catch (error) {
    return /^[0-9A-Z]{5}$/.test(codeOf(error) ?? '')
  }
}
