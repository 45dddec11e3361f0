import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../commands/output-file.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import type { Db } from '../../database/db.ts'
import { messageOf } from '../../database/errors.ts'
import { hour } from '../../domain/time.ts'
import { writeDump } from './write.ts'

type Plan = {
  readonly tables: readonly TableUse[]
  readonly dataDir: string
  readonly everyMs: number
  readonly keep: number
}

type LogBackup = (event: 'backup_made' | 'backup_failed', facts: { readonly message: string }) => void

/** Backs up whenever the newest backup is `everyMs` old, and keeps `keep` of them. Returns what stops this. */
export function keepBackups(db: Db, { tables, dataDir, everyMs, keep }: Plan, log: LogBackup): () => void {
  const folder = folderIn(dataDir)
  let timer = setTimeout(work, untilDue())
  let isStopped = false
  timer.unref()

  return function stop() {
    isStopped = true
    clearTimeout(timer)
  }

  /** A restart neither skips a backup nor makes an extra one. */
  function untilDue(): number {
    return Math.max(0, everyMs - backupAgeSeconds(dataDir) * 1_000)
  }

  async function work(): Promise<void> {
    try {
      const made = nameAt(new Date())
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      await writeWhole(
        join(folder, made),
        (write) => writeDump(db, tables, write),
        join(folder, 'unfinished'),
      )
      log('backup_made', { message: `Backed up to ${join(folder, made)}` })
      const others = backupsIn(folder).filter((name) => name !== made)
      for (const old of others.slice(keep - 1)) rmSync(join(folder, old))
    } catch (error) {
      if (!isStopped) log('backup_failed', { message: `Backing up failed: ${messageOf(error)}` })
    }
    if (isStopped) return
    // After one that failed, another is due at once, and is tried within the hour.
    timer = setTimeout(work, Math.max(untilDue(), Math.min(everyMs, hour)))
    timer.unref()
  }
}

/** How old the newest backup is: Infinity if there is none. Those from the future, by a wrong clock, do not count. */
export function backupAgeSeconds(dataDir: string): number {
  const now = Date.now()
  const newest = backupsIn(folderIn(dataDir))
    .map(instantOf)
    .find((instant) => instant <= now)
  return (now - (newest ?? Number.NEGATIVE_INFINITY)) / 1_000
}

function folderIn(dataDir: string): string {
  return join(dataDir, 'backups')
}

/** The names of the backups in a folder, the newest first. Other files there are not ours. */
function backupsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !Number.isNaN(instantOf(entry.name)))
      .map(({ name }) => name)
      .toSorted()
      .toReversed()
  } catch {
    // The folder does not exist yet.
    return []
  }
}

/** Such as 2026-11-22T03-00-00Z.dump, so that names sort by time. */
function nameAt(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.dump`
}

/** In milliseconds. NaN if this is not the name of a backup. */
function instantOf(name: string): number {
  const [, day, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.dump$/.exec(name) ?? []
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
}
