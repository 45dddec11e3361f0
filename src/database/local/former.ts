import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../db.ts'
import { DatabaseUnusable } from '../errors.ts'

/** What a Postgres that runs, or was killed, has written into its folder. */
type Pidfile = { readonly pid: number; readonly socketFolder: string }

/** Null if the folder has none, so that no Postgres runs on it. */
export function readPidfile(path: string): Pidfile | null {
  const file = fileIn(path)
  if (!existsSync(file)) return null
  const lines = readFileSync(file, 'utf8').split('\n')
  return { pid: Number(lines[0]), socketFolder: lines[4] ?? '' }
}

function fileIn(path: string): string {
  return join(path, 'postmaster.pid')
}

/** The signals that end a Postgres, from the friendly one to the last, each with how long it is waited for. */
const endings = [
  ['SIGINT', 15_000],
  ['SIGQUIT', 6_000],
  ['SIGKILL', 2_000],
] as const

/**
 * Ends the Postgres of a service that was killed, so that never two run on one folder. Throws DatabaseUnusable if it
 * cannot be ended.
 */
export async function endFormer(path: string, report: Report): Promise<void> {
  const former = readPidfile(path)
  if (former === null) return
  if (!isServerOf(path, former.pid)) {
    // By now, the number may be that of another process, and Postgres would take it for a server of this folder.
    rmSync(fileIn(path), { force: true })
    return
  }
  report(`Waiting for the Postgres of a former process (${former.pid}) to end`, 'database_opening')
  for (const [signal, patienceMs] of endings) {
    endWith(former.pid, signal)
    for (const end = performance.now() + patienceMs; performance.now() < end; await Bun.sleep(20)) {
      if (!isServerOf(path, former.pid)) return
    }
  }
  throw new DatabaseUnusable(
    `the Postgres with process id ${former.pid} uses ${path} and does not end: end it by hand`,
  )
}

/** Sends a signal to a Postgres. A kill goes to its own processes too, which would notice only at their next step. */
export function endWith(pid: number, signal: NodeJS.Signals): void {
  const pids = signal === 'SIGKILL' ? [pid, ...childrenOf(pid)] : [pid]
  for (const each of pids) {
    try {
      process.kill(each, signal)
    } catch {
      // It has ended already.
    }
  }
}

function childrenOf(pid: number): readonly number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Whether this process is a Postgres that was started on this folder. */
function isServerOf(path: string, pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: there is such a process, of another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return commandOf(pid).includes(path)
}

function commandOf(pid: number): string {
  if (process.platform !== 'linux') {
    return Bun.spawnSync(['ps', '-o', 'command=', '-p', String(pid)]).stdout.toString()
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
