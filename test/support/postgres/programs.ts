import { globSync } from 'node:fs'
import { dirname } from 'node:path'

export type Child = Bun.Subprocess<'ignore', 'ignore', 'pipe'>

const isRoot = process.getuid?.() === 0

/** The folder of the programs of the newest Postgres that is installed; Debian has them outside of PATH. */
export function installedPostgres(): string | null {
  const ofDebian = globSync('/usr/lib/postgresql/*/bin/initdb')
  const newest = ofDebian.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  const initdb = newest ?? Bun.which('initdb')
  return initdb === null ? null : dirname(initdb)
}

export function postgresProgram(name: string): string {
  return `${installedPostgres()}/${name}`
}

/** Starts a command in a folder, which is its user's own; Postgres refuses to be run by root. */
export async function spawnAsPostgres(folder: string, command: readonly string[]): Promise<Child> {
  if (!isRoot) return spawn(folder, command)
  await succeed(spawn(folder, ['chown', 'postgres', folder]))
  // A server does not outlive who has started it, even by kill -9.
  const become = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--pdeathsig=INT']
  return spawn(folder, [...become, ...command])
}

/** Waits for the end of a command; throws what it said when it failed. */
export async function succeed(child: Child): Promise<void> {
  const output = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`No Postgres server can be made: ${output}`)
}

/** Waits until a server says that it is ready; throws when it ends before. */
export async function untilReady(server: Child): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  void (async () => {
    let log = ''
    // To its end, so that the server never waits for a reader.
    for await (const text of server.stderr.pipeThrough(new TextDecoderStream())) {
      log += text
      if (log.includes('ready to accept')) resolve()
    }
    reject(new Error(`The Postgres server ended: ${log}`))
  })()
  await promise
}

/** With nothing of our environment: PGOPTIONS and the like are not meant for this server. */
function spawn(folder: string, command: readonly string[]): Child {
  const env = { PATH: process.env.PATH ?? '' }
  return Bun.spawn([...command], { cwd: folder, env, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
}
