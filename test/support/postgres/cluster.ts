import { existsSync, globSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, temporaryDirectory } from '../process.ts'

/** A Postgres server of our own: a restart of the one that all tests share would fail the others. */
export type PostgresCluster = {
  readonly url: string
  /** Of the process that starts all others of the server. */
  readonly pid: number
  /** The folder that has its socket. */
  readonly socketFolder: string
  /** Stops the server, leaves its port closed for a while and starts it again. */
  restart(shutdown: Shutdown): Promise<void>
  /** Ends the server and deletes its data, unless it was given a folder for them. */
  remove(): Promise<void>
}

type Options = {
  /** Where the data are kept for the next time. */
  readonly folder?: string
  readonly settings?: Readonly<Record<string, string>>
}

/** fast: it ends every session and writes everything down. immediate: it drops all, and recovers at start. */
export type Shutdown = 'fast' | 'immediate'

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
/** Who lost a connection tries again several times meanwhile, and is refused. */
const downMs = 1_500

type Child = Bun.Subprocess<'ignore', 'ignore', 'pipe'>

/** Makes a server with the programs of the Postgres that is installed on this machine, and starts it. */
export async function startPostgresCluster({
  folder,
  settings = {},
}: Options = {}): Promise<PostgresCluster> {
  const programs = findPrograms()
  const { path, remove } = folder === undefined ? temporaryDirectory() : kept(folder)
  const port = freePort()
  let server: Child | null = null
  try {
    if (!existsSync(join(path, 'PG_VERSION'))) {
      if (isRoot) await succeed(spawn(path, ['chown', 'postgres', path]))
      await succeed(spawnAsPostgres(path, [`${programs}/initdb`, '-D', path, ...initdbOptions]))
    }
    await start()
  } catch (error) {
    await removeAll()
    throw error
  }

  return {
    socketFolder: path,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return server?.pid ?? Number.NaN
    },
    async restart(shutdown) {
      await stop(shutdown)
      await Bun.sleep(downMs)
      await start()
    },
    remove: removeAll,
  }

  /** A child of ours, which pg_ctl's would not be: it hears of Ctrl-C as we do. */
  async function start(): Promise<void> {
    const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: path, ...settings }
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    server = spawnAsPostgres(path, [`${programs}/postgres`, '-D', path, ...options])
    await untilReady(server)
  }

  async function stop(shutdown: Shutdown): Promise<void> {
    server?.kill(signals[shutdown])
    await server?.exited
  }

  async function removeAll(): Promise<void> {
    await stop(folder === undefined ? 'immediate' : 'fast')
    remove()
  }
}

function kept(path: string): { path: string; remove: () => void } {
  mkdirSync(path, { recursive: true })
  return { path, remove: () => {} }
}

/**
 * Nothing of it depends on the locale of the machine; what initdb itself writes need not outlive a power cut.
 */
const initdbOptions = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']

/** Where the newest server is; Debian has its programs outside of PATH. */
function findPrograms(): string {
  const ofDebian = globSync('/usr/lib/postgresql/*/bin/initdb')
  const newest = ofDebian.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  const initdb = newest ?? Bun.which('initdb')
  if (initdb !== null) return dirname(initdb)
  throw new Error(
    'A test restarts a Postgres server of its own, and none is installed: apt-get install postgresql',
  )
}

const isRoot = process.getuid?.() === 0

/** Postgres refuses to be run by root. */
function spawnAsPostgres(directory: string, command: readonly string[]): Child {
  // A server does not outlive who has started it, even by kill -9.
  const become = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--pdeathsig=INT']
  return spawn(directory, isRoot ? [...become, ...command] : command)
}

/** With nothing of our environment: PGOPTIONS and the like are not meant for this server. */
function spawn(directory: string, command: readonly string[]): Child {
  const env = { PATH: process.env.PATH ?? '' }
  return Bun.spawn([...command], { cwd: directory, env, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
}

async function succeed(child: Child): Promise<void> {
  const output = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`No Postgres server can be made: ${output}`)
}

/** Waits until the server says that it is ready; throws when it ends before. */
async function untilReady(server: Child): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  void (async () => {
    let log = ''
    // To its end, so that the server never waits for a reader.
    for await (const text of server.stderr.pipeThrough(new TextDecoderStream())) {
      log += text
      if (log.includes('ready to accept connections')) resolve()
    }
    reject(new Error(`The Postgres server ended: ${log}`))
  })()
  await promise
}
