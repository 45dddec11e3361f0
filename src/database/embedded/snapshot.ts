import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { readPgliteFiles } from './pglite.ts'

/** Like a base backup of Postgres: a copy of changing files and the log of their changes. Calls must not overlap. */
export async function withCopy<T>(
  client: PGlite,
  path: string,
  work: (copy: PGlite) => Promise<T>,
): Promise<T> {
  try {
    await copyTo(client, path, copyPathOf(path))
    await using copy = await PGlite.create(copyPathOf(path), await readPgliteFiles())
    return await work(copy)
  } finally {
    await removeCopy(path)
  }
}

/** A process that was killed may have left one. */
export async function removeCopy(path: string): Promise<void> {
  await rm(copyPathOf(path), { recursive: true, force: true })
}

function copyPathOf(path: string): string {
  return `${path}.copy`
}

async function copyTo(client: PGlite, path: string, copyPath: string): Promise<void> {
  await removeCopy(path)
  // Makes a checkpoint. From here on, every change is in the log, in whole pages.
  await client.query(`select pg_backup_start('shipfeed', true)`)
  let end: { readonly label: string; readonly last: string } | undefined
  try {
    await copyFiles(path, copyPath)
  } finally {
    end = (await client.query<NonNullable<typeof end>>(endBackup)).rows[0]
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

/** Does not wait for an archive, since the embedded database has none. */
const endBackup = `
  select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)`

/** Copies everything except the log and the file that marks a database as running. */
async function copyFiles(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const pathsOf = (areFolders: boolean) =>
    entries
      .filter((entry) => entry.isDirectory() === areFolders)
      .map((entry) => relative(from, join(entry.parentPath, entry.name)))
  for (const path of pathsOf(true)) await mkdir(join(to, path), { recursive: true, mode: 0o700 })
  for (const path of pathsOf(false)) {
    if (path === 'postmaster.pid' || path.startsWith(join(log, '/'))) continue
    await copyFile(join(from, path), join(to, path)).catch((error: NodeJS.ErrnoException) => {
      // Deleted during the copy: the log has what the copy needs.
      if (error.code !== 'ENOENT') throw error
    })
  }
}
