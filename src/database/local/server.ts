import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Report, settleBy } from '../db.ts'
import { codeOf, DatabaseUnusable } from '../errors.ts'
import { routeTo } from '../postgres/route.ts'
import { poolSettings } from '../session-settings.ts'
import { createDatabase, localUrl, setPassword } from './creation.ts'
import { contentOf, type DataDirectory, folderIn, takeDirectory } from './directory.ts'
import { endFormer, endWith, readPidfile } from './former.ts'
import { type ServerProcess, startPostgres } from './process.ts'
import { findPrograms } from './programs.ts'
import { isTooLongForSocket } from './server-settings.ts'
import { systemUserFor } from './system-user.ts'

/** The Postgres of a DATA_DIR. */
export type LocalServer = {
  /** Where it is reached, with its password. */
  readonly url: string
  /** Resolves when it first accepts connections. Rejects with DatabaseUnusable. */
  readonly started: Promise<void>
  stop(): Promise<void>
}

const firstPauseMs = 250
const slowestPauseMs = 10_000
/** A Postgres that ran this long has started well. */
const steadyMs = 60_000
/** For this long, a first start waits until the processes of a killed Postgres have ended. */
const formerMs = 10_000

const lookEveryMs = 5_000
/** It is asked twice: if this process itself stood still, only the first answer is late. */
const answerMs = 2_500
const quitMs = 6_000

/**
 * Starts the Postgres in a DATA_DIR, and starts it again if it ends or is silent for 5 s. With `joins`, uses that of
 * the process that has the DATA_DIR, if there is one. Throws DatabaseUnusable.
 */
export async function openServer(
  dataDir: string,
  report: Report,
  { joins = false } = {},
): Promise<LocalServer> {
  const directory = takeDirectory(resolve(dataDir))
  if (directory !== null) return runServer(directory, report)
  if (joins) return await joinServer(resolve(dataDir))
  throw new DatabaseUnusable(`${dataDir} is in use by another process: stop it, or set another DATA_DIR`)
}

async function joinServer(dataDir: string): Promise<LocalServer> {
  for (const end = performance.now() + formerMs; performance.now() < end; await Bun.sleep(50)) {
    const running = readPidfile(folderIn(dataDir))
    if (running === null || !existsSync(passwordFileIn(dataDir))) continue
    const url = localUrl(readFileSync(passwordFileIn(dataDir), 'utf8'), running.socketFolder)
    return { url, started: Promise.resolve(), async stop() {} }
  }
  throw new DatabaseUnusable(`the database in ${dataDir} is not open yet: try again`)
}

function runServer(directory: DataDirectory, report: Report): LocalServer {
  const { dataDir, path } = directory
  const isNewPassword = !existsSync(passwordFileIn(dataDir))
  const password = isNewPassword ? crypto.randomUUID() : readFileSync(passwordFileIn(dataDir), 'utf8')
  const socketFolder = isTooLongForSocket(path) ? mkdtempSync('/tmp/shipfeed-') : path
  const url = localUrl(password, socketFolder)
  const { promise: started, resolve: hasStarted, reject } = Promise.withResolvers<void>()
  let running: ServerProcess | null = null
  let isStopping = false
  const work = keepRunning().catch(reject)

  return {
    url,
    started,
    async stop() {
      isStopping = true
      if (running !== null) endWith(running.pid, 'SIGINT')
      await work
      if (socketFolder !== path) rmSync(socketFolder, { recursive: true, force: true })
      directory[Symbol.dispose]()
    },
  }

  async function keepRunning(): Promise<void> {
    const start = await prepare()
    const begunAt = performance.now()
    let isFirst = true
    for (let pauseMs = firstPauseMs; !isStopping; pauseMs = Math.min(pauseMs * 2, slowestPauseMs)) {
      const startedAt = performance.now()
      const server = startPostgres(start)
      running = server
      void server.ready.then(() => {
        isFirst = false
        hasStarted()
        void watch(server)
      })
      const reason = await server.ended
      if (isStopping) return
      const isOfFormer = /still in use|already exists/.test(reason) && startedAt < begunAt + formerMs
      if (isFirst && !isOfFormer) {
        throw new DatabaseUnusable(
          `the database in ${path} cannot be opened (${reason}): check the free space, the memory and the permissions of its files, and restore a backup only if these are in order`,
        )
      }
      if (performance.now() > startedAt + steadyMs) pauseMs = firstPauseMs
      if (!isFirst) report(`Postgres has ended (${reason}), and is started again`, 'database_ended')
      await Bun.sleep(pauseMs)
    }
  }

  /** Makes the database if there is none, and whatever else a start needs. */
  async function prepare() {
    const content = contentOf(dataDir)
    if (content.kind === 'pglite') {
      throw new DatabaseUnusable(
        `${path} was made by Shipfeed 1.1.0 or older: start the service on it once, which moves it to Postgres`,
      )
    }
    const isNew = content.kind === 'none'
    report(isNew ? `Creating a database in ${path}` : `Opening ${path}`, 'database_opening')
    const programs = await findPrograms(dataDir, content.kind === 'none' ? null : content.version)
    const user = await systemUserFor(dataDir, path, programs)
    if (isNew) {
      await createDatabase(path, programs, user, password)
    } else {
      // A copy may have another mode, which Postgres refuses.
      chmodSync(path, 0o700)
      await endFormer(path, report)
    }
    if (isNewPassword) {
      if (!isNew) await setPassword(path, programs, user, password)
      writeFileSync(passwordFileIn(dataDir), password, { mode: 0o600 })
    }
    const { uid, gid = -1 } = user.ids
    if (socketFolder !== path && uid !== undefined) chownSync(socketFolder, uid, gid)
    const onTrouble = (says: string) => report(`Postgres says: ${says}`, 'database_trouble')
    return { path, socketFolder, programs, user, onTrouble }
  }

  /** Ends a Postgres that does not answer, so that it is started again. */
  async function watch(server: ServerProcess): Promise<void> {
    let hasEnded = false
    void server.ended.then(() => {
      hasEnded = true
    })
    while (!hasEnded && !isStopping) {
      await Bun.sleep(lookEveryMs)
      if (hasEnded || isStopping || (await answers(url)) || (await answers(url)) || isStopping) continue
      report('Postgres does not answer, and is ended', 'database_trouble')
      endWith(server.pid, 'SIGQUIT')
      await Promise.race([server.ended, Bun.sleep(quitMs)])
      if (!hasEnded) endWith(server.pid, 'SIGKILL')
      return
    }
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

/** Outside of the folder of the database, which another user may own. */
function passwordFileIn(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}
