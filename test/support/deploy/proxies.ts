import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programOf } from '../needs/programs.ts'
import { temporaryDirectory } from '../process.ts'
import { type RunningProxy, startNginxWith } from './nginx.ts'

const deploy = join(import.meta.dir, '../../../deploy')

export type ProxyName = 'haproxy' | 'nginx'

/** Starts a proxy as deploy/ has it, on a port, before processes of ours on these ports, however many they are. */
export async function startProxy(
  name: ProxyName,
  port: number,
  ports: readonly number[],
): Promise<RunningProxy> {
  const addresses = ports.map((port) => `127.0.0.1:${port}`)
  return name === 'haproxy'
    ? startHaproxy(port, addresses)
    : await startNginxWith(port, nginxServers(port, addresses))
}

function startHaproxy(port: number, addresses: readonly string[]): RunningProxy {
  const { path, remove } = temporaryDirectory()
  const text = readFileSync(join(deploy, 'haproxy.cfg'), 'utf8')
  const servers = (rest: string) =>
    addresses.map(
      (address, n) => `  server app-${n + 1} "${address}"${rest.replace('app-1', `app-${n + 1}`)}`,
    )
  const configured = text
    .replace(/^ {2}server app-1 "\$APP_1"(.*)$/gm, (_, rest: string) => servers(rest).join('\n'))
    .replace(/^ {2}server app-2 "\$APP_2".*\n/gm, '')
    .replace('local0 notice', 'local0 info')
  const file = join(path, 'haproxy.cfg')
  writeFileSync(file, configured)
  const log = join(path, 'log')
  const child = Bun.spawn([programOf('haproxy') ?? 'haproxy', '-db', '-f', file], {
    env: { LISTEN: `:${port}` },
    stdin: 'ignore',
    stdout: Bun.file(log),
    stderr: 'ignore',
  })
  return {
    log: () => readFileSync(log, 'utf8'),
    async stop() {
      child.kill('SIGKILL')
      await child.exited
      remove()
    },
  }
}

function nginxServers(port: number, addresses: readonly string[]): string {
  const text = readFileSync(join(deploy, 'nginx.conf'), 'utf8')
  return text
    .replace(/^ {2}listen 80;$/m, `  listen 127.0.0.1:${port};`)
    .replace(/^ {2}server 127\.0\.0\.1:300[23] .*\n/gm, '')
    .replace(/^ {2}server 127\.0\.0\.1:3001 (.*)$/gm, (_, rest: string) =>
      addresses.map((address) => `  server ${address} ${rest}`).join('\n'),
    )
}
