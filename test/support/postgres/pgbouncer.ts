import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, temporaryDirectory } from '../process.ts'

/** Whether a pooler can be put before Postgres on this machine. */
export const hasPgbouncer = programOf() !== null

export type Pooler = { readonly url: string; stop(): Promise<void> }

/** Starts a pgbouncer, as it is installed but for its mode, before the database of this address. */
export async function startPgbouncer(target: string, mode: 'session' | 'transaction'): Promise<Pooler> {
  const { path, remove } = temporaryDirectory()
  const { hostname, port, pathname, username } = new URL(target)
  const listenPort = freePort()
  writeFileSync(join(path, 'users'), `"${username}" ""\n`)
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${port || 5432}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(path, 'users')}`,
    `pool_mode = ${mode}`,
  ]
  writeFileSync(join(path, 'pgbouncer.ini'), settings.join('\n'))
  // It refuses to be run by root.
  if (isRoot) await Bun.spawn(['chown', '-R', 'postgres', path]).exited
  const become = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : []
  const command = [...become, programOf() ?? 'pgbouncer', join(path, 'pgbouncer.ini')]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  await until(child.stderr, 'process up')
  return {
    url: `postgres://${username}@127.0.0.1:${listenPort}${pathname}`,
    async stop() {
      child.kill('SIGKILL')
      await child.exited
      remove()
    },
  }
}

const isRoot = process.getuid?.() === 0

function programOf(): string | null {
  return Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` })
}

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
