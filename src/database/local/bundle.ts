import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  lchownSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { DatabaseUnusable, messageOf } from '../errors.ts'

/**
 * What only the binary has (deploy/build.ts): an archive of the programs of Postgres, with the name of the folder that
 * it is unpacked into, and one of an empty database.
 */
const embedded = Bun.isStandaloneExecutable ? readdirSync(import.meta.dir) : []

export const archiveSuffix = '.tar.zst'
export const templateArchive = `template${archiveSuffix}`

type Ids = { readonly uid?: number; readonly gid?: number }

/** Postgres may run as another user (system-user.ts), who has to read them. */
export const programsMode = 0o755

const prefix = 'programs-'

/** The name for a folder with programs: their major version, and a hash of all that is in it. */
export async function programsName(folder: string, major: number): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const { path, isFolder } of entriesOf(folder)) {
    const { mode, size } = statSync(path)
    hasher.update(`${relative(folder, path)} ${mode & 0o777} ${isFolder ? '' : size}\n`)
    if (isFolder) continue
    for await (const chunk of Bun.file(path).stream()) hasher.update(chunk)
  }
  return `${prefix}${major}-${hasher.digest('hex').slice(0, 16)}`
}

function majorIn(name: string): number {
  return Number(name.split('-')[1])
}

/**
 * The programs of this binary, unpacked into DATA_DIR. If the database has another `major`, also those that a former
 * binary has left there for it; all others are removed. Throws DatabaseUnusable.
 */
export async function bundledPrograms(dataDir: string, major: number | null) {
  const archive = embedded.find((file) => file.startsWith(prefix))
  if (archive === undefined) return []
  const ours = basename(archive, archiveSuffix)
  if (!(await isWhole(dataDir, ours))) await unpackPrograms(archive, join(dataDir, ours))
  requireRunnable(join(dataDir, ours))
  const found = [ours]
  for (const name of readdirSync(dataDir)) {
    if (!name.startsWith(prefix) || name === ours) continue
    const isNeeded = majorIn(name) === major && major !== majorIn(ours)
    if (isNeeded && (await isWhole(dataDir, name))) found.push(name)
    else tryToRemove(join(dataDir, name))
  }
  return found.map((name) => ({
    folder: join(dataDir, name, 'bin'),
    major: majorIn(name),
    template: name === ours ? templateArchive : null,
  }))
}

/** False also if a crash or a copy has changed what is in the folder. */
async function isWhole(dataDir: string, name: string): Promise<boolean> {
  try {
    return (await programsName(join(dataDir, name), majorIn(name))) === name
  } catch {
    return false
  }
}

/** They are moved into place when they are complete. */
async function unpackPrograms(archive: string, folder: string): Promise<void> {
  const unfinished = join(dirname(folder), `${prefix}unfinished`)
  try {
    rmSync(unfinished, { recursive: true, force: true })
    await unpack(archive, unfinished, programsMode, ownerOf(dirname(folder)))
    const name = await programsName(unfinished, majorIn(archive))
    if (name !== basename(folder)) throw new Error('what was written is not what was packed')
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  } catch (error) {
    tryToRemove(unfinished)
    throw new DatabaseUnusable(
      `Postgres cannot be unpacked into ${folder} (${messageOf(error)}): check the free space and the permissions of DATA_DIR`,
    )
  }
}

/** If we are root, the service may run as the owner of DATA_DIR at other times. */
function ownerOf(dataDir: string): Ids {
  if (process.getuid?.() !== 0) return {}
  const { uid, gid } = statSync(dataDir)
  return { uid, gid }
}

function requireRunnable(folder: string): void {
  const postgres = join(folder, 'bin/postgres')
  try {
    accessSync(postgres, constants.X_OK)
  } catch {
    throw new DatabaseUnusable(
      `Postgres cannot be run in ${folder}, because its file system is mounted with noexec: mount it without that, set another DATA_DIR, or set DATABASE_URL`,
    )
  }
  // Root runs nothing that another user may have put there.
  const options = { ...ownerOf(dirname(folder)), env: {}, encoding: 'utf8' } as const
  const { status, stderr, error } = spawnSync(postgres, ['--version'], options)
  // Whether that user may enter the folder is told by system-user.ts.
  if (status === 0 || error !== undefined) return
  const [reason] = stderr.split('\n')
  throw new DatabaseUnusable(
    `Postgres does not run on this machine (${reason}): install what is missing, or set DATABASE_URL`,
  )
}

/** More than an archive has in it. */
const largestArchive = 2 ** 26

/** Unpacks an archive of the binary. Folders and programs get `mode`, other files the same without the right to run. */
export async function unpack(
  archive: string,
  folder: string,
  mode: number,
  { uid, gid = -1 }: Ids,
): Promise<void> {
  const compressed = await Bun.file(join(import.meta.dir, archive)).bytes()
  // In one piece, which takes a third of the memory.
  const unpacked = await promisify(zstdDecompress)(compressed, { chunkSize: largestArchive })
  await new Bun.Archive(unpacked).extract(folder)
  // A container may have little memory.
  Bun.gc(true)
  setModes(folder, mode)
  if (uid === undefined) return
  for (const { path } of entriesOf(folder)) lchownSync(path, uid, gid)
}

export function setModes(folder: string, mode: number): void {
  for (const { path, isFolder } of entriesOf(folder)) {
    const mayRun = isFolder || basename(dirname(path)) === 'bin'
    chmodSync(path, mayRun ? mode : mode & 0o666)
  }
}

/** The folder itself and everything in it, in the order of their names. */
function entriesOf(folder: string): readonly { readonly path: string; readonly isFolder: boolean }[] {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => ({
    path: join(entry.parentPath, entry.name),
    isFolder: entry.isDirectory(),
  }))
  return [{ path: folder, isFolder: true }, ...inside].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** If a folder cannot be removed, since it belongs to another user or is in use, the next start tries again. */
export function tryToRemove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Nothing depends on it.
  }
}
