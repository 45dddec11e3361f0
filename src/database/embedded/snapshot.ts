import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { OneAtATime } from './one-at-a-time.ts'
import { readPgliteFiles } from './pglite-files.ts'

/** Opens the database as it is at one instant. */
export type Snapshot = <T>(work: (copy: PGlite) => Promise<T>) => Promise<T>

/**
 * Opens a copy of a running database as it is at one instant, and gives it to `work`. The one connection that
 * an embedded database has goes on serving: the copy is made as a base backup of Postgres is, from files that
 * change meanwhile and the log of these changes. It takes as much room on the disk as the database, for as
 * long as the work lasts; one at a time.
 */
export function snapshots(client: PGlite, path: string, alone: OneAtATime): Snapshot {
  const place = placeOf(path)
  return (work) => alone(() => withCopy(work))

  async function withCopy<T>(work: (copy: PGlite) => Promise<T>): Promise<T> {
    try {
      await copyTo(client, path, place)
      const copy = await PGlite.create(place, await readPgliteFiles())
      try {
        return await work(copy)
      } finally {
        await copy.close()
      }
    } finally {
      await removeCopy(path)
    }
  }
}

/** Removes a copy, also one that a process left behind when it was killed. */
export async function removeCopy(path: string): Promise<void> {
  await rm(placeOf(path), { recursive: true, force: true })
}

function placeOf(path: string): string {
  return `${path}.copy`
}

/**
 * Copies a database that is in use: its files as they happen to be, and the log of what changed meanwhile,
 * which Postgres replays when it opens the copy.
 */
async function copyTo(client: PGlite, path: string, place: string): Promise<void> {
  await removeCopy(path)
  // A checkpoint: what changes from here on is in the log, in whole pages.
  await client.query(`select pg_backup_start('shipfeed', true)`)
  let end: BackupEnd | undefined
  try {
    await copyFiles(path, place)
  } finally {
    end = (await client.query<BackupEnd>(endBackup)).rows[0]
  }
  const { label, last } = end ?? { label: '', last: '' }
  const [, first = ''] = /\(file (\w+)\)/.exec(label) ?? []
  for (const segment of await readdir(join(path, log))) {
    if (segment >= first && segment <= last)
      await copyFile(join(path, log, segment), join(place, log, segment))
  }
  // Tells the copy from where to read the log.
  await writeFile(join(place, 'backup_label'), label)
}

const log = 'pg_wal'

type BackupEnd = { readonly label: string; readonly last: string }

/** Waits for no archive, which an embedded database does not have. */
const endBackup = `
  select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)`

/** Everything but the log, and the mark of a database in use. */
async function copyFiles(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => ({
    path: relative(from, join(entry.parentPath, entry.name)),
    isFolder: entry.isDirectory(),
  }))
  for (const { path, isFolder } of paths)
    if (isFolder) await mkdir(join(to, path), { recursive: true, mode: 0o700 })
  for (const { path, isFolder } of paths) {
    if (isFolder || path === 'postmaster.pid' || path.startsWith(join(log, '/'))) continue
    await copyFile(join(from, path), join(to, path)).catch(unlessGone)
  }
}

/** The log tells of files that went meanwhile. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
