import { createInterface } from 'node:readline'
import type { Report } from '../db.ts'
import { endServer, forcible, orderly } from './ending.ts'
import { type Programs, programIn } from './programs.ts'
import { serverArguments } from './server-settings.ts'
import { exitOf, type SystemUser, spawnAs } from './system-user.ts'
import { hangOf } from './watch.ts'

/** A Postgres that was started. */
export type ServerProcess = {
  /** Resolves when it first accepts connections. Never, if it ends before. */
  readonly ready: Promise<void>
  /** Resolves when it and its own processes have ended, with the reason. */
  readonly ended: Promise<string>
  /** Ends it, by force if need be. */
  end(): Promise<void>
  /** Tells it to end, and does not wait. */
  interrupt(): void
}

export type Start = {
  readonly path: string
  readonly socketFolder: string
  /** Where it will answer. */
  readonly url: string
  readonly programs: Programs
  readonly user: SystemUser
  readonly report: Report
}

/** Lines about a client or an orderly stop. Clients learn of it by themselves. */
const usual =
  /^(FATAL: {2}(the database system is|terminating|canceling authentication|password authentication|sorry, too many|connection to client|expected SASL)|LOG: {2}(?!.*(was terminated by|exited with exit code [^01]|could not|all server processes|lock file)))/

/** Starts Postgres. If it hangs, at its start or later, it is ended. */
export function startPostgres({ path, socketFolder, url, programs, user, report }: Start): ServerProcess {
  const command = [programIn(programs, 'postgres'), ...serverArguments(path, socketFolder, programs.major)]
  const child = spawnAs(user, command)
  child.stdin?.end()
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>()
  let linesLogged = 0
  let reason: string | null = null
  let isEnding = false
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', read)
  const ended = exitOf(child).then(
    (code) => reason ?? (code === null ? `killed by ${child.signalCode}` : `exit code ${code}`),
  )
  const { pid } = child
  const watched = { isWatched: () => isRunning() && !isEnding, ready, linesLogged: () => linesLogged }
  void hangOf(watched, url).then(endHung)

  return {
    ready,
    ended,
    async end() {
      isEnding = true
      if (pid !== undefined) await endServer(pid, isRunning, orderly)
    },
    interrupt() {
      if (isRunning()) child.kill('SIGINT')
    },
  }

  /** Until Bun has seen its end, the kernel gives its number to no other process. */
  function isRunning(): boolean {
    return pid !== undefined && child.exitCode === null && child.signalCode === null
  }

  function read(line: string): void {
    const [, level, says] = /^(FATAL|PANIC|LOG): {2}(.*)$/.exec(line) ?? []
    if (says === undefined) return
    if (level === 'LOG') linesLogged += 1
    if (says.includes('ready to accept connections')) {
      // It has recovered from what it said before.
      reason = null
      isReady()
    }
    if (usual.test(line)) return
    // What follows the first line of a log is often its consequence, but these end a process.
    reason = level === 'LOG' ? (reason ?? says) : says
    report(`Postgres says: ${says}`, 'database_trouble')
  }

  async function endHung(cause: string | null): Promise<void> {
    if (cause === null || pid === undefined) return
    reason ??= cause
    report('Postgres does not answer, and is ended', 'database_trouble')
    await endServer(pid, isRunning, forcible)
  }
}
