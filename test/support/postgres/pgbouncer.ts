import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { programOf } from '../needs/programs.ts'
import { freePort, temporaryDirectory } from '../process.ts'

export type Pooler = {
  /** The same database through the pooler. */
  readonly url: string
  /** Gives a command to its console, such as "pause". */
  command(command: string): Promise<void>
  /** Ends it at once, with every connection of both sides. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Halts it, as a machine that hangs; `thaw` lets it go on. */
  freeze(): void
  thaw(): void
  /** Ends it for good. */
  stop(): Promise<void>
}

/**
 * Starts a pgbouncer, as it is installed but for its mode and these settings, before the database of this
 * address.
 */
export async function startPgbouncer(
  target: string,
  mode: 'session' | 'transaction',
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pooler> {
  const { path, remove } = temporaryDirectory()
  const { hostname, port, pathname, username } = new URL(target)
  const listenPort = freePort()
  const address = `postgres://${username}@127.0.0.1:${listenPort}`
  writeFileSync(join(path, 'users'), `"${username}" ""\n`)
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(path, 'users'),
    admin_users: username,
    pool_mode: mode,
    ...settings,
  }
  const lines = [
    ...['[databases]', `* = host=${hostname} port=${port || 5432}`, '[pgbouncer]'],
    ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
  ]
  writeFileSync(join(path, 'pgbouncer.ini'), lines.join('\n'))
  // It refuses to be run by root.
  if (isRoot) await Bun.spawn(['chown', '-R', 'postgres', path]).exited
  const become = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : []
  const program = [...become, programOf('pgbouncer') ?? 'pgbouncer', join(path, 'pgbouncer.ini')]
  let child: Bun.Subprocess | undefined
  await start()

  return {
    url: `${address}${pathname}`,
    async command(command) {
      const console = postgres(`${address}/pgbouncer`, { max: 1, fetch_types: false, onnotice() {} })
      await console.unsafe(command).finally(() => console.end())
    },
    kill,
    start,
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    async stop() {
      await kill()
      remove()
    },
  }

  async function start(): Promise<void> {
    const started = Bun.spawn(program, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
    child = started
    await until(started.stderr, 'process up')
  }

  async function kill(): Promise<void> {
    child?.kill('SIGKILL')
    await child?.exited
  }
}

const isRoot = process.getuid?.() === 0

/** Reads the log to its end, so that nobody waits for a reader of it. */
async function until(log: ReadableStream<Uint8Array>, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  void (async () => {
    const decoder = new TextDecoder()
    let read = ''
    for await (const chunk of log) {
      read += decoder.decode(chunk)
      if (read.includes(text)) resolve()
    }
    reject(new Error(`pgbouncer ended: ${read}`))
  })()
  await promise
}
