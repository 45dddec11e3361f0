import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort, temporaryDirectory } from '../process.ts'
import { type Child, postgresProgram, spawnAsPostgres, succeed, untilReady } from './programs.ts'

type Settings = Readonly<Record<string, string>>

/** A Postgres server of our own: a restart of the one that all tests share would fail the others. */
export type PostgresCluster = {
  readonly url: string
  /** Of the process that starts all others of the server. */
  readonly pid: number
  /** The folder that has its socket. */
  readonly socketFolder: string
  stop(shutdown: Shutdown): Promise<void>
  start(): Promise<void>
  /** Stops the server, leaves its port closed for a while and starts it again. */
  restart(shutdown: Shutdown): Promise<void>
  /** Halts every process of the server, as a machine that hangs; `thaw` lets them go on. */
  freeze(): void
  thaw(): void
  /** Changes settings of the running server, as an operator does. */
  configure(settings: Settings): Promise<void>
  /** Makes and starts a standby that follows this server under a name. */
  addStandby(name: string): Promise<PostgresCluster>
  /** Makes a standby a primary. */
  promote(): Promise<void>
  /** Ends the server and deletes its data, unless it was given a folder for them. */
  remove(): Promise<void>
}

type Options = {
  /** Where the data are kept for the next time. */
  readonly folder?: string
  readonly settings?: Settings
}

/** fast: it ends every session and writes everything down. immediate: it drops all, and recovers at start. */
export type Shutdown = 'fast' | 'immediate'

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
/** Long enough for a client that lost its connection to try again several times and be refused. */
const downMs = 1_500

/**
 * Nothing of it depends on the locale of the machine; what initdb itself writes need not outlive a power cut.
 */
const initdbOptions = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']

/** Makes a server with the programs of the Postgres that is installed on this machine, and starts it. */
export function startPostgresCluster(options: Options = {}): Promise<PostgresCluster> {
  return startFrom(options, (path) => [postgresProgram('initdb'), ...['-D', path], ...initdbOptions])
}

/** `make` is the command that fills an empty folder. */
async function startFrom(
  { folder, settings = {} }: Options,
  make: (path: string) => readonly string[],
): Promise<PostgresCluster> {
  const { path, remove } = folder === undefined ? temporaryDirectory() : kept(folder)
  const port = freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server: Child | null = null
  try {
    if (!existsSync(join(path, 'PG_VERSION'))) await succeed(await spawnAsPostgres(path, make(path)))
    await start()
  } catch (error) {
    await removeAll()
    throw error
  }

  return {
    socketFolder: path,
    url,
    get pid() {
      return server?.pid ?? Number.NaN
    },
    stop,
    start,
    async restart(shutdown) {
      await stop(shutdown)
      await Bun.sleep(downMs)
      await start()
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async configure(changes) {
      const client = postgres(url, { max: 1 })
      for (const [name, value] of Object.entries(changes)) {
        await client.unsafe(`alter system set ${name} = '${value}'`)
      }
      await client`select pg_reload_conf()`
      await client.end()
    },
    addStandby: (name) =>
      startFrom({ settings: { ...settings, cluster_name: name } }, (into) => [
        postgresProgram('pg_basebackup'),
        ...['--pgdata', into, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
        ...['--dbname', `${url}?application_name=${name}`],
      ]),
    async promote() {
      const client = postgres(url, { max: 1 })
      await client`select pg_promote(true, 30)`
      await client.end()
    },
    remove: removeAll,
  }

  /** A child of ours, which pg_ctl's would not be: it hears of Ctrl-C as we do. */
  async function start(): Promise<void> {
    const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: path, ...settings }
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    server = await spawnAsPostgres(path, [postgresProgram('postgres'), '-D', path, ...options])
    await untilReady(server)
  }

  async function stop(shutdown: Shutdown): Promise<void> {
    server?.kill(signals[shutdown])
    await server?.exited
  }

  function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    const first = server?.exitCode === null ? server.pid : undefined
    if (first === undefined) return
    // Signalled before its children are listed, or it could start one more.
    process.kill(first, name)
    const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(' ')
    for (const pid of children.filter(Boolean).map(Number)) {
      try {
        process.kill(pid, name)
      } catch {
        // The process has ended since.
      }
    }
  }

  async function removeAll(): Promise<void> {
    signal('SIGCONT')
    await stop(folder === undefined ? 'immediate' : 'fast')
    remove()
  }
}

function kept(path: string): { path: string; remove: () => void } {
  mkdirSync(path, { recursive: true })
  return { path, remove: () => {} }
}
