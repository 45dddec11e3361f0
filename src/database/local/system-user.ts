import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { DatabaseUnusable } from '../errors.ts'
import { type Programs, programIn } from './programs.ts'

/** How a program of Postgres is started: as which user, and by which commands in front of it. */
export type SystemUser = {
  readonly ids: { readonly uid?: number; readonly gid?: number }
  readonly prefix: readonly string[]
}

/** Postgres refuses to run as root. In a user namespace, root has another number, and files stay those of root. */
const namespace = [pathOf('unshare'), '--user', '--map-user=1000', '--map-group=1000']

/** If the service is killed, the kernel then stops Postgres. Only Linux has this. */
const endsWithUs = [pathOf('setpriv'), '--pdeathsig', 'INT'] as const

/** Found here, since what Postgres is started with has no PATH. */
function pathOf(program: string): string {
  return Bun.which(program) ?? program
}

/** The ids that Debian and most others give to `nobody`. */
const nobody = { uid: 65_534, gid: 65_534 }

/**
 * As whom Postgres runs: as the user of this process. If that is root, as the owner of the database or of DATA_DIR,
 * else as `nobody` if that user may enter the folders, else as root in a user namespace. Throws DatabaseUnusable.
 */
export async function systemUserFor(dataDir: string, path: string, programs: Programs): Promise<SystemUser> {
  const candidates = process.getuid?.() === 0 ? usersForRoot(dataDir, path) : [{ ids: {}, prefix: [] }]
  for (const { ids, prefix } of candidates) {
    for (const user of [
      { ids, prefix: [...prefix, ...endsWithUs] },
      { ids, prefix },
    ]) {
      if (await canRun(user, path, programs)) return user
    }
  }
  throw new DatabaseUnusable(
    `Postgres cannot run as ${userInfo().username} on DATA_DIR "${dataDir}": run the service as another user, give DATA_DIR and the service's own folder a place that every user may enter, such as /var/lib/shipfeed, or set DATABASE_URL`,
  )
}

function usersForRoot(dataDir: string, path: string): readonly SystemUser[] {
  const hasDatabase = existsSync(path)
  const { uid, gid } = statSync(hasDatabase ? path : dataDir)
  if (uid !== 0) return [{ ids: { uid, gid }, prefix: [] }]
  const inNamespace = { ids: {}, prefix: namespace }
  return hasDatabase ? [inNamespace] : [{ ids: nobody, prefix: [] }, inNamespace]
}

/** Whether the user may enter the folder of the database, or the one in which it will be made, and run the programs. */
async function canRun(user: SystemUser, path: string, programs: Programs): Promise<boolean> {
  const folder = existsSync(path) ? path : dirname(path)
  // Images without a shell do not run as root.
  const entering = process.getuid?.() === 0 ? [pathOf('sh'), '-c', 'cd "$0" && exec "$@"', folder] : []
  const child = spawnAs(user, [...entering, programIn(programs, 'postgres'), '--version'])
  return (await exitOf(child)) === 0
}

/** Starts a program with no other environment than Postgres needs; its messages are in English. */
export function spawnAs({ ids, prefix }: SystemUser, command: readonly string[]): ChildProcess {
  const [program = '', ...words] = [...prefix, ...command]
  const env = { LC_ALL: 'C', TZ: 'UTC' }
  return spawn(program, words, { ...ids, env, cwd: '/', stdio: ['pipe', 'ignore', 'pipe'] })
}

/** Resolves when a program has ended: with its exit code, or null if it was killed or cannot be started. */
export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
}
