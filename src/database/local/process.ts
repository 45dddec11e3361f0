import { createInterface } from 'node:readline'
import { type Ending, endServer, orderly } from './ending.ts'
import { type Programs, programIn } from './programs.ts'
import { serverArguments } from './server-settings.ts'
import { exitOf, type SystemUser, spawnAs } from './system-user.ts'

/** A Postgres that was started. */
export type ServerProcess = {
  /** Resolves when it accepts connections. Never, if it ends before. */
  readonly ready: Promise<void>
  /** Resolves when it and its own processes have ended, with the last reason that it gave. */
  readonly ended: Promise<string>
  readonly isRunning: () => boolean
  /** Ends it, by force if need be. */
  end(endings?: readonly Ending[]): Promise<void>
  /** Tells it to end, and does not wait. */
  interrupt(): void
}

export type Start = {
  readonly path: string
  readonly socketFolder: string
  readonly programs: Programs
  readonly user: SystemUser
  /** Gets what Postgres logs about itself. */
  readonly onTrouble: (says: string) => void
}

/** Lines about a client or an orderly stop. Clients learn of it by themselves. */
const usual =
  /^(FATAL: {2}(the database system is|terminating|password authentication|sorry, too many|connection to client)|LOG: {2}(?!.*(was terminated by|exited with exit code [^01]|could not|all server processes|lock file)))/

/** Starts Postgres. */
export function startPostgres({ path, socketFolder, programs, user, onTrouble }: Start): ServerProcess {
  const command = [programIn(programs, 'postgres'), ...serverArguments(path, socketFolder, programs.major)]
  const child = spawnAs(user, command)
  child.stdin?.end()
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>()
  let lastReason = ''
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.includes('ready to accept connections')) isReady()
      const [, says] = /^(?:FATAL|PANIC|LOG): {2}(.*)$/.exec(line) ?? []
      if (says === undefined || usual.test(line)) return
      lastReason = says
      onTrouble(says)
    })
  }
  const ended = exitOf(child).then((code) => lastReason || (code === null ? 'killed' : `exit code ${code}`))
  const { pid } = child
  /** Until Bun has seen its end, the kernel gives its number to no other process. */
  const isRunning = () => pid !== undefined && child.exitCode === null && child.signalCode === null
  return {
    ready,
    ended,
    isRunning,
    async end(endings = orderly) {
      if (pid !== undefined) await endServer(pid, isRunning, endings)
    },
    interrupt() {
      if (isRunning()) child.kill('SIGINT')
    },
  }
}
