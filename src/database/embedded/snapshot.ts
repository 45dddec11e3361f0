import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { readPgliteFiles } from './pglite.ts'

/** Runs one piece of work after another. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>

/** Opens a copy of the database as it is at one instant, and passes it to `work`. */
export type Snapshot = <T>(work: (copy: PGlite) => Promise<T>) => Promise<T>

/**
 * Makes the function that opens copies of a running database. The only connection of the embedded database
 * keeps serving: like a base backup of Postgres, a copy is made from files that are changing, and from the log of
 * their changes. It takes as much disk space as the database, and is removed after `work`. There is only one copy
 * at a time.
 */
export function snapshots(client: PGlite, path: string, alone: OneAtATime): Snapshot {
  const copyPath = copyPathOf(path)
  return (work) =>
    alone(async () => {
      try {
        await copyTo(client, path, copyPath)
        const copy = await PGlite.create(copyPath, await readPgliteFiles())
        return await work(copy).finally(() => copy.close())
      } finally {
        await removeCopy(path)
      }
    })
}

/** Removes a copy, including one left behind by a process that was killed. */
export async function removeCopy(path: string): Promise<void> {
  await rm(copyPathOf(path), { recursive: true, force: true })
}

function copyPathOf(path: string): string {
  return `${path}.copy`
}

/**
 * Copies a database that is in use: its files as they are found, and the log of the changes that were made while
 * they were copied. Postgres replays that log when it opens the copy.
 */
async function copyTo(client: PGlite, path: string, copyPath: string): Promise<void> {
  await removeCopy(path)
  // Makes a checkpoint. From here on, every change is in the log, in whole pages.
  await client.query(`select pg_backup_start('shipfeed', true)`)
  let end: BackupEnd | undefined
  try {
    await copyFiles(path, copyPath)
  } finally {
    end = (await client.query<BackupEnd>(endBackup)).rows[0]
  }
  const { label, last } = end ?? { label: '', last: '' }
  const [, first = ''] = /\(file (\w+)\)/.exec(label) ?? []
  for (const segment of await readdir(join(path, log))) {
    if (segment >= first && segment <= last)
      await copyFile(join(path, log, segment), join(copyPath, log, segment))
  }
  // This file says where in the log the replay has to begin.
  await writeFile(join(copyPath, 'backup_label'), label)
}

const log = 'pg_wal'

type BackupEnd = { readonly label: string; readonly last: string }

/** Does not wait for an archive, since the embedded database has none. */
const endBackup = `
  select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)`

/** Copies everything except the log and the file that marks a database as running. */
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

/** A file that was deleted during the copy may be missing: the log has what the copy needs. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
