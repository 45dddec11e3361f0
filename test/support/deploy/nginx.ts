import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { programOf } from '../needs/programs.ts'
import { temporaryDirectory } from '../process.ts'
import { outcomeOf } from './programs.ts'

export type RunningProxy = {
  /** What it has logged so far, of requests and of errors. */
  log(): string
  stop(): Promise<void>
}

/** Starts an nginx whose only server has these locations. Throws what it says of its configuration. */
export async function startNginx(port: number, locations: string): Promise<RunningProxy> {
  return await startNginxWith(port, `server { listen 127.0.0.1:${port}; ${locations} }`)
}

/** Starts an nginx with these servers, of which one listens on the port. Throws what it says of them. */
export async function startNginxWith(port: number, servers: string): Promise<RunningProxy> {
  const { path, remove } = temporaryDirectory()
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  // Its workers must be able to write large bodies into the folder.
  const configuration = `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    pid ${path}/pid;
    error_log stderr;
    events { worker_connections 16384; }
    http {
      access_log off;
      ${kinds.map((kind) => `${kind}_temp_path ${path}/${kind};`).join('\n')}
      ${servers.replaceAll('/var/log/nginx', path)}
    }`
  const file = join(path, 'nginx.conf')
  writeFileSync(file, configuration)
  const command = [programOf('nginx') ?? 'nginx', '-c', file, '-e', 'stderr']
  const { code, said } = await outcomeOf([...command, '-t'])
  if (code !== 0) throw new Error(said)
  const errors = join(path, 'errors')
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: Bun.file(errors) })
  await eventually('nginx answers', () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ),
  )
  return {
    log: () =>
      [errors, ...['access.log', 'error.log'].map((name) => join(path, name))]
        .filter(existsSync)
        .map((file) => readFileSync(file, 'utf8'))
        .join(''),
    async stop() {
      child.kill('SIGTERM')
      await child.exited
      remove()
    },
  }
}
