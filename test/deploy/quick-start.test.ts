import { afterAll, expect } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { outcomeOf } from '../support/deploy/programs.ts'
import { eventually } from '../support/eventually.ts'
import { needing } from '../support/needs/needs.ts'
import { sameOrigin } from '../support/people.ts'
import { freePort, startCommand, temporaryDirectory } from '../support/process.ts'

const repository = join(import.meta.dir, '../..')
const text = readFileSync(join(repository, 'docs/quick-start.md'), 'utf8')
const port = freePort()

/** A folder in place of the root of a machine, on which systemd would start the unit. */
const { path: root, remove } = temporaryDirectory()
const pidFile = join(root, 'pid')
afterAll(async () => {
  if (existsSync(pidFile)) await outcomeOf(['kill', readFileSync(pidFile, 'utf8').trim()])
  remove()
})

const program = `#!/bin/sh\ncd ${repository}\nexec ${process.execPath} ${repository}/src/main.ts "$@"\n`
const systemctl = `#!/bin/sh
[ "$*" = 'enable --now shipfeed' ] || exit 1
set -a
for one in $(sed -n 's/^Environment=//p' ${root}/etc/systemd/system/shipfeed.service); do
  eval "$(echo "$one" | sed 's|%S|${root}/var/lib|')"
done
. ${root}/etc/shipfeed/environment
PORT=${port} METRICS_PORT=0 LOG_LEVEL=debug ${root}/usr/local/bin/shipfeed > ${root}/log 2>&1 &
echo $! > ${pidFile}
`
for (const folder of [
  'dist',
  'bin',
  'deploy',
  'usr/local/bin',
  'etc/systemd/system',
  'var/lib/shipfeed',
  'etc/cron.d',
])
  mkdirSync(join(root, folder), { recursive: true })
for (const [name, script] of [
  ['dist/shipfeed', program],
  ['bin/systemctl', systemctl],
] as const) {
  writeFileSync(join(root, name), script)
  chmodSync(join(root, name), 0o755)
}
writeFileSync(
  join(root, 'deploy/shipfeed.service'),
  readFileSync(join(repository, 'deploy/shipfeed.service')),
)

/** A text of the guide with the paths and the port of this machine. */
function here(code: string): string {
  return code
    .replaceAll(/(?<=^|[\s=[>])\/(etc|usr|var)\//gm, `${root}/$1/`)
    .replaceAll('/var/lib/private/', '/var/lib/')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('backup@other.example:', `${root}/other/`)
}

/** The code of a language in a step of the guide. */
function blocks(step: number, language: string): string[] {
  const [, rest = ''] = text.split(`\n**${step}. `)
  const [section = ''] = rest.split(/\n\*\*\d\. /)
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, code = '']) => code,
  )
}

async function run(step: number) {
  const [code = ''] = blocks(step, 'sh')
  const PATH = `${root}/bin:${root}/usr/local/bin:${process.env.PATH}`
  const DATA_DIR = join(root, 'var/lib/shipfeed')
  return await outcomeOf(['sh', '-euc', here(code)], { cwd: root, env: { PATH, DATA_DIR } })
}

const isStarted = needing('curl')

isStarted.test(
  'the first step starts the service',
  async () => {
    expect(await run(1)).toEqual({ code: 0, said: 'ready\n' })
  },
  60_000,
)

/** Caddy as it is set up, but on ports of this machine and with a certificate of its own. */
async function startCaddy(upstream: string) {
  const tlsPort = freePort()
  const folder = mkdtempSync(join(root, 'caddy-'))
  const own = `admin off\n  auto_https disable_redirects\n  skip_install_trust\n  storage file_system ${folder}`
  const [code = ''] = blocks(2, 'caddyfile')
  const file = join(folder, 'Caddyfile')
  const onThisMachine = code
    .replace('{\n', `{\n  ${own}\n`)
    .replace('ship.example {', `https://localhost:${tlsPort} {\n  tls internal`)
    .replace('127.0.0.1:3000', upstream)
  writeFileSync(file, onThisMachine)
  const env = { PATH: process.env.PATH ?? '', HOME: folder }
  const { child, output } = startCommand(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], {
    ...{ cwd: folder, env },
  })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`https://localhost:${tlsPort}${path}`, {
      ...init,
      tls: { rejectUnauthorized: false },
    } as RequestInit)
  await eventually('it answers', () =>
    ask('/healthz').then(
      () => true,
      () => false,
    ),
  )
  return { ask, output, [Symbol.dispose]: () => child.kill('SIGKILL') }
}

needing('curl', 'caddy').test(
  'Caddy adds TLS, passes streams on, and no headers of clients',
  async () => {
    using caddy = await startCaddy(`127.0.0.1:${port}`)
    const forged = { 'X-Request-Id': 'chosen-by-a-client', 'X-Forwarded-For': '203.0.113.9', ...sameOrigin }
    const body = new URLSearchParams({ username: 'nobody', password: 'not this one' })
    expect((await caddy.ask('/sign-in', { method: 'POST', body, headers: forged })).status).toBe(422)
    const log = readFileSync(join(root, 'log'), 'utf8')
    expect(log).toContain('"sign_in_failed"')
    expect(log).not.toMatch(/chosen-by-a-client|203\.0\.113\.9/)
    const stream = await caddy.ask('/feed/live', { headers: { Accept: 'text/event-stream' } })
    const { value } = (await stream.body?.getReader().read()) ?? {}
    expect(value?.length).toBeGreaterThan(0)
  },
  60_000,
)

needing('caddy').test(
  'Caddy logs no secret of an address while no process answers',
  async () => {
    using caddy = await startCaddy(`127.0.0.1:${freePort()}`)
    const headers = { Referer: 'https://ship.example/wall?key=read_SECRET' }
    expect((await caddy.ask('/password?link=SECRET', { headers })).status).toBe(502)
    await eventually('it is logged', () => caddy.output().includes('"/password"'))
    expect(caddy.output()).not.toContain('SECRET')
  },
  60_000,
)

isStarted.test(
  'the account has a link to the public address',
  async () => {
    const { code, said } = await run(3)
    expect([code, said]).toEqual([0, expect.stringContaining('https://ship.example/password?link=')])
  },
  60_000,
)

needing('curl', 'rsync').test(
  'the service backs up soon after its start, and the line of cron copies that',
  async () => {
    const backups = join(root, 'var/lib/shipfeed/backups')
    await eventually('it has a backup', () => existsSync(backups) && readdirSync(backups).length > 0)
    expect(await run(4)).toEqual({ code: 0, said: '' })
    const [, command = ''] =
      /^(?:\S+ ){5}root (.*)$/m.exec(readFileSync(join(root, 'etc/cron.d/shipfeed'), 'utf8')) ?? []
    mkdirSync(join(root, 'other'))
    expect(await outcomeOf(['sh', '-c', command])).toEqual({ code: 0, said: '' })
    expect(readdirSync(join(root, 'other/shipfeed')).length).toBeGreaterThan(0)
  },
  60_000,
)

needing('promtool').test('Prometheus accepts its settings and our alerts', async () => {
  const [prometheus = ''] = blocks(5, 'yaml')
  mkdirSync(join(root, 'etc/prometheus'), { recursive: true })
  writeFileSync(
    join(root, 'etc/prometheus/shipfeed.yaml'),
    readFileSync(join(repository, 'deploy/alerts.yaml')),
  )
  writeFileSync(join(root, 'etc/prometheus/prometheus.yml'), here(prometheus))
  const { code, said } = await outcomeOf([
    'promtool',
    'check',
    'config',
    join(root, 'etc/prometheus/prometheus.yml'),
  ])
  expect([code, said]).toEqual([0, expect.stringContaining('rules found')])
})

needing('amtool').test('Alertmanager accepts its settings', async () => {
  const [, alertmanager = ''] = blocks(5, 'yaml')
  writeFileSync(join(root, 'alertmanager.yml'), alertmanager)
  const { code } = await outcomeOf(['amtool', 'check-config', join(root, 'alertmanager.yml')])
  expect(code).toBe(0)
})

isStarted.test(
  'the last step finds everything right',
  async () => {
    const { code, said } = await run(6)
    expect(said.split('\n').filter((line) => line !== '' && !line.startsWith('ok'))).toEqual([])
    expect(code).toBe(0)
  },
  60_000,
)
