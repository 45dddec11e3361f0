import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { DatabaseUnusable, messageOf } from '../errors.ts'
import { routeTo } from '../postgres/pooler.ts'
import { poolSettings } from '../session-settings.ts'
import { tryToRemove, unpack } from './bundle.ts'
import { writePassword } from './password.ts'
import { type Start, startPostgres } from './process.ts'
import { programIn } from './programs.ts'
import { isTemporary, socketFolderFor } from './socket-folder.ts'
import { exitOf, type SystemUser, spawnAs } from './system-user.ts'

/** The role and the database of the service. The role has no special rights. */
const roleName = 'shipfeed'

/** The password of the empty database in the binary, until that is copied. */
export const templatePassword = 'template'

const syncsAtOnce = 16

/** The folder of a database, with the programs for it and their user. */
type Folder = Pick<Start, 'path' | 'programs' | 'user'>

/**
 * Makes an empty database. It is moved into place only when it is complete and on disk, so that a crash cannot leave a
 * part of one. Throws DatabaseUnusable.
 */
export async function createDatabase(of: Folder, password: string): Promise<void> {
  const { path, programs, user } = of
  let unfinished = ''
  try {
    removeUnfinished(path)
    unfinished = mkdtempSync(unfinishedPrefix(path))
    if (user.ids.uid !== undefined) chownSync(unfinished, user.ids.uid, user.ids.gid ?? -1)
    const fill = programs.template === null ? runInitdb : copyTemplate
    await fill({ ...of, path: unfinished }, password)
    writePassword(unfinished, user, password)
    await syncAll(unfinished)
    // rename() replaces an empty folder.
    renameSync(unfinished, path)
    syncFile(dirname(path))
  } catch (error) {
    removeUnfinished(path)
    throw new DatabaseUnusable(
      `a database cannot be created in ${path} (${messageOf(error)}): check the free space and the permissions of its folder`,
    )
  }
}

async function runInitdb(of: Folder, password: string): Promise<void> {
  const { path, programs, user } = of
  await runProgram(user, [
    ...[programIn(programs, 'initdb'), `--pgdata=${path}`, '--username=postgres', '--no-sync'],
    ...['--encoding=UTF8', '--locale=C', '--data-checksums', '--auth=reject', '--no-instructions'],
  ])
  // The role of the programs, `postgres`, may not connect at all.
  writeFileSync(join(path, 'pg_hba.conf'), `local ${roleName} ${roleName} scram-sha-256\n`)
  await runAlone(of, [
    `create role ${roleName} login password '${password}'`,
    `create database ${roleName} owner ${roleName}`,
  ])
}

/**
 * initdb, and Postgres without a server, refuse a user who has no name. In a container, that is any user but the one
 * of the image. So the binary has what initdb made when it was built, and only a server runs.
 */
async function copyTemplate({ path, programs, user }: Folder, password: string): Promise<void> {
  await unpack(programs.template ?? '', path, 0o700, user.ids)
  const socketFolder = socketFolderFor(path)
  if (user.ids.uid !== undefined) chownSync(socketFolder, user.ids.uid, user.ids.gid ?? -1)
  const url = localUrl(templatePassword, socketFolder)
  const server = startPostgres({ path, socketFolder, url, programs, user, report() {} })
  try {
    const failed = server.ended.then((reason) => Promise.reject(new Error(reason)))
    await Promise.race([server.ready, failed])
    using connection = await routeTo(url).direct(poolSettings)
    await connection.queries.execute(sql.raw(`alter role ${roleName} password '${password}'`))
  } finally {
    await server.end()
    if (isTemporary(socketFolder)) rmSync(socketFolder, { recursive: true, force: true })
  }
}

/** The address of the database. */
export function localUrl(password: string, socketFolder: string): string {
  return `postgres://${roleName}:${password}@${encodeURIComponent(socketFolder)}/${roleName}`
}

function unfinishedPrefix(path: string): string {
  return `${path}.new-`
}

/** A start that was killed leaves one, and its programs may still write there for a moment. */
function removeUnfinished(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    const found = join(dirname(path), name)
    if (found.startsWith(unfinishedPrefix(path))) tryToRemove(found)
  }
}

/** Sets the password of our role, while no server runs. */
export async function setPassword(of: Folder, password: string): Promise<void> {
  await runAlone(of, [`alter role ${roleName} password '${password}'`])
}

/** Runs statements in a Postgres without a server. They are given by a pipe, so that no list of processes shows them. */
async function runAlone({ path, programs, user }: Folder, statements: readonly string[]): Promise<void> {
  const alone = ['--single', '-j', '-D', path]
  const strict = ['-c', 'log_min_messages=error', '-c', 'exit_on_error=on']
  const command = [programIn(programs, 'postgres'), ...alone, ...strict, 'postgres']
  // With -j, a semicolon and an empty line end a statement.
  await runProgram(user, command, statements.map((one) => `${one};\n\n`).join(''))
}

/** Throws the reason that the program gave if it fails. */
async function runProgram(user: SystemUser, command: readonly string[], input = ''): Promise<void> {
  const child = spawnAs(user, command)
  child.stdin?.on('error', () => {}).end(input)
  const [code, said] = await Promise.all([exitOf(child), child.stderr === null ? '' : text(child.stderr)])
  if (code !== 0) throw new Error(reasonIn(said) || `${command[0]} ended with ${code}`)
}

/** The first error: the lines after it are about its consequences. */
function reasonIn(said: string): string | undefined {
  return /^.*?(?:FATAL|PANIC|ERROR|error): +(.*)$/m.exec(said)?.[1] ?? said.trim().split('\n').at(-1)
}

/** Syncing several files at once takes little longer than one. */
async function syncAll(folder: string): Promise<void> {
  const names = ['.', ...readdirSync(folder, { recursive: true })].values()
  const syncing = Array.from({ length: syncsAtOnce }, async () => {
    for (const name of names) {
      const file = await open(join(folder, String(name)))
      await file.sync().finally(() => file.close())
    }
  })
  await Promise.all(syncing)
}

/** Syncs a file, or a folder's list of files to the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
