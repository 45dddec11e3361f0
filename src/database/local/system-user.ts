import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseUnusable } from '../errors.ts'
import { majorOf } from './directory.ts'
import { type Programs, programIn } from './programs.ts'

/** How a program of Postgres is started: as which user, and by which commands in front of it. */
export type SystemUser = {
  readonly ids: { readonly uid?: number; readonly gid?: number }
  readonly prefix: readonly string[]
}

/** The ids that Debian, Alpine, Fedora and distroless images give to `nobody`. */
const nobody = { uid: 65_534, gid: 65_534 }

/** If the service is killed, the kernel then stops Postgres. Only Linux has this. */
const endsWithUs = [pathOf('setpriv'), '--pdeathsig', 'INT'] as const

/** Found here, since what Postgres is started with has no PATH. */
function pathOf(program: string): string {
  return Bun.which(program) ?? program
}

const ourselves: SystemUser = { ids: {}, prefix: [] }
/**
 * Postgres refuses to run as root, and makes no database for a user without a name. In a user namespace, a user has
 * another number, and files stay theirs.
 */
const inNamespace: SystemUser = {
  ids: {},
  prefix: [pathOf('unshare'), '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`],
}

/**
 * As whom Postgres runs: as the user of this process. If that is root, as the owner of the database or of DATA_DIR,
 * else as `nobody` if that user may enter the folders, else as root in a user namespace. Throws DatabaseUnusable.
 */
export async function systemUserFor(dataDir: string, path: string, programs: Programs): Promise<SystemUser> {
  const isRoot = process.getuid?.() === 0
  const isMade = majorOf(path) !== null
  const candidates = isRoot ? usersForRoot(isMade ? path : dataDir, isMade) : [ourselves, inNamespace]
  for (const { ids, prefix } of candidates) {
    for (const user of [
      { ids, prefix: [...prefix, ...endsWithUs] },
      { ids, prefix },
    ]) {
      if (await canRun(user, path, isMade, programs)) return user
    }
  }
  throw new DatabaseUnusable(
    isRoot
      ? `Postgres cannot run as root on DATA_DIR "${dataDir}": run the service as another user, give DATA_DIR and the service's own folder a place that every user may enter, such as /var/lib/shipfeed, or set DATABASE_URL`
      : `Postgres cannot make a database as user ${process.getuid?.()}, who has no name on this machine: add the user to /etc/passwd, run the service as another user, or set DATABASE_URL`,
  )
}

function usersForRoot(folder: string, isMade: boolean): readonly SystemUser[] {
  const { uid, gid } = statSync(folder)
  if (uid !== 0) return [ourselves, inNamespace].map(({ prefix }) => ({ ids: { uid, gid }, prefix }))
  return isMade ? [inNamespace] : [{ ids: nobody, prefix: [] }, inNamespace]
}

/** Whether the user may enter the folder of the database, or the one in which it will be made, and run the programs. */
async function canRun(user: SystemUser, path: string, isMade: boolean, programs: Programs): Promise<boolean> {
  // Images without a shell do not run as root.
  const entering =
    process.getuid?.() === 0
      ? [pathOf('sh'), '-c', 'cd "$0" && exec "$@"', isMade ? path : dirname(path)]
      : []
  // initdb is not there if the programs come with a template, which makes do without a user's name.
  const trying =
    isMade || programs.template !== null
      ? [programIn(programs, 'postgres'), '--version']
      : [programIn(programs, 'initdb'), '--show', '--username=postgres', `--pgdata=${path}`]
  const child = spawnAs(user, [...entering, ...trying])
  child.stderr?.resume()
  return (await exitOf(child)) === 0
}

/** Starts a program with no other environment than Postgres needs; its messages are in English. */
export function spawnAs({ ids, prefix }: SystemUser, command: readonly string[]): ChildProcess {
  const [program = '', ...words] = [...prefix, ...command]
  const env = { LC_ALL: 'C', TZ: 'UTC' }
  // In a session of its own, a Ctrl-C at our terminal does not reach it.
  return spawn(program, words, { ...ids, env, cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'pipe'] })
}

/** Resolves when a program has ended: with its exit code, or null if it was killed or cannot be started. */
export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
}
