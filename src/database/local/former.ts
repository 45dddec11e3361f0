import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../db.ts'
import { DatabaseUnusable } from '../errors.ts'
import { endServer, orderly } from './ending.ts'
import { isTemporary, socketName } from './socket-folder.ts'

/** What a Postgres that runs on a folder, or was killed there, has written into it. */
type Pidfile = { readonly pid: number; readonly socketFolder: string; readonly isReady: boolean }

/** Null if no Postgres runs on this folder, and none was killed there. */
export function readPidfile(path: string): Pidfile | null {
  try {
    const lines = readFileSync(join(path, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), socketFolder: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' }
  } catch {
    return null
  }
}

/** Where the Postgres on this folder accepts connections; null if none does. */
export function socketFolderOf(path: string): string | null {
  const found = readPidfile(path)
  return found?.isReady === true && isServerOf(path, found.pid) ? found.socketFolder : null
}

/**
 * Ends the Postgres of a service that was killed, so that never two run on one folder. Throws DatabaseUnusable if it
 * cannot be ended.
 */
export async function endFormer(path: string, report: Report): Promise<void> {
  const former = readPidfile(path)
  if (former === null) return
  const isRunning = () => isServerOf(path, former.pid)
  if (isRunning()) {
    report(`Waiting for the Postgres of a former process (${former.pid}) to end`, 'database_opening')
    if (!(await endServer(former.pid, isRunning, orderly))) {
      throw new DatabaseUnusable(
        `the Postgres with process id ${former.pid} uses ${path} and does not end: end it by hand`,
      )
    }
  }
  // By now, the number may be that of another process, and Postgres would take that for a server of this folder.
  for (const name of ['postmaster.pid', `${socketName}.lock`]) rmSync(join(path, name), { force: true })
  if (isTemporary(former.socketFolder)) rmSync(former.socketFolder, { recursive: true, force: true })
}

/** Whether this process is a Postgres that was started on this folder. */
function isServerOf(path: string, pid: number): boolean {
  return commandOf(pid).includes(`postgres -D ${path} -c`)
}

/** The command line of a process, of whatever user. Empty if there is none, or if it has ended. */
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
