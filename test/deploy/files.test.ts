import { afterAll, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readConfig } from '../../src/config.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { configurationOf, variablesRead } from '../support/configuration.ts'
import { query } from '../support/database.ts'
import { codeUnder } from '../support/deploy/operations.ts'
import { outcomeOf } from '../support/deploy/programs.ts'
import { eventually } from '../support/eventually.ts'
import { needing } from '../support/needs/needs.ts'
import { programOf } from '../support/needs/programs.ts'
import { startPostgresCluster } from '../support/postgres/cluster.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'

const root = join(import.meta.dir, '../..')
const deploy = join(root, 'deploy')
const directory = temporaryDirectory()
afterAll(directory.remove)

const [haproxy = '', systemdAnalyze = '', nginx = ''] = ['haproxy', 'systemd-analyze', 'nginx'].map(
  (name) => programOf(name) ?? name,
)

type Compose = {
  readonly services: Record<string, { environment?: Record<string, unknown>; networks?: unknown }>
}

const compose = () => Bun.YAML.parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8')) as Compose

/** As systemd rates exposure: from 0 (safe) to 100. Most services of a distribution are above 80. */
const exposureLimit = '15'

test('compose.yaml and its override pass the official schema and the linter', async () => {
  const checked = await outcomeOf([join(root, 'node_modules/.bin/dclint'), '--max-warnings', '0', deploy])
  expect(checked).toEqual({ code: 0, said: expect.any(String) })
})

test('compose.yaml limits each of its services, drops their capabilities, and trusts only the proxy', () => {
  const { services } = compose()
  expect(Object.keys(services)).toEqual(['app-1', 'app-2', 'postgres', 'proxy'])
  for (const [name, service] of Object.entries(services)) {
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        cap_drop: ['ALL'],
        mem_limit: expect.any(String),
        pids_limit: expect.any(Number),
        read_only: true,
        security_opt: ['no-new-privileges:true'],
      }),
    ])
  }
  const trusted = services['app-1']?.environment?.TRUSTED_PROXIES
  expect(services.proxy?.networks).toEqual({ inside: { ipv4_address: trusted } })
})

test('the override for TLS and metrics fits compose.yaml', () => {
  const override = Bun.YAML.parse(
    readFileSync(join(deploy, 'compose.override.example.yaml'), 'utf8'),
  ) as Compose
  expect(Object.keys(override.services)).toEqual(['app-1', 'app-2', 'proxy'])
  for (const [name, { environment = {} }] of Object.entries(override.services)) {
    const merged: Record<string, unknown> = { ...compose().services[name]?.environment, ...environment }
    if (name === 'proxy') expect(merged).toEqual({ CERTIFICATE: '/run/secrets/certificate' })
    else {
      // These are for compose.
      const { BASE_URL: _, DATABASE_URL_FILE: __, ...settings } = merged
      const env = Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)]))
      expect(configurationOf(env).configured.some(({ observe }) => observe !== undefined)).toBeTrue()
      expect(env.METRICS_PORT).toBe('9464')
    }
  }
})

test('compose.yaml and the systemd unit use settings that exist', async () => {
  const { services } = compose()
  const unit = readFileSync(join(deploy, 'shipfeed.service'), 'utf8')
  const set = [
    ...Object.keys(services['app-1']?.environment ?? {}),
    ...[...unit.matchAll(/^#?Environment=(.*)$/gm)].flatMap(([, all = '']) =>
      all.split(' ').map((one) => one.split('=')[0] ?? ''),
    ),
  ]
  const asked = variablesRead()
  expect(set.length).toBeGreaterThan(5)
  const ofBun = 'BUN_JSC_gcMaxHeapSize'
  expect(set.filter((name) => !asked.has(name))).toEqual([ofBun])
})

needing('haproxy').test('haproxy accepts haproxy.cfg', async () => {
  const env = { APP_1: '127.0.0.1:1', APP_2: '127.0.0.1:2' }
  const { code, said } = await outcomeOf([haproxy, '-c', '-f', join(deploy, 'haproxy.cfg')], { env })
  expect([code, said]).toEqual([0, expect.not.stringMatching(/WARNING|ALERT/)])
})

needing('haproxy', 'openssl').test(
  'with a certificate, haproxy.cfg serves by TLS, and leads there',
  async () => {
    const certificate = join(directory.path, 'site.pem')
    const subject = ['-subj', '/CN=ship.example', '-keyout', `${certificate}.key`, '-out', certificate]
    await outcomeOf(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject])
    appendFileSync(certificate, readFileSync(`${certificate}.key`))
    const behind = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('of the service') })
    const [plain, tls] = [freePort(), freePort()]
    const proxy = Bun.spawn([haproxy, '-db', '-f', join(deploy, 'haproxy.cfg')], {
      env: {
        LISTEN: `:${plain}`,
        LISTEN_TLS: `:${tls}`,
        CERTIFICATE: certificate,
        APP_1: `127.0.0.1:${behind.port}`,
        APP_2: `127.0.0.1:${behind.port}`,
      },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    try {
      const trusting = { tls: { rejectUnauthorized: false } }
      const ask = async () =>
        await (await fetch(`https://127.0.0.1:${tls}/`, trusting)).text().catch(() => '')
      await eventually('it answers', async () => (await ask().catch(() => '')) === 'of the service')
      const led = await fetch(`http://127.0.0.1:${plain}/ada?q=1`, {
        redirect: 'manual',
        headers: { Host: 'ship.example' },
      })
      expect([led.status, led.headers.get('Location')]).toEqual([308, 'https://ship.example/ada?q=1'])
    } finally {
      proxy.kill('SIGKILL')
      await proxy.exited
      await behind.stop(true)
    }
  },
)

needing('nginx').test.each(['nginx.conf', 'nginx-sign-in.conf'])('nginx accepts %s', async (name) => {
  const path = join(directory.path, name)
  // Names of other machines cannot be resolved here.
  const server = readFileSync(join(deploy, name), 'utf8')
    .replace('/var/log/nginx', directory.path)
    .replace('authelia:', '127.0.0.1:')
  writeFileSync(path, `pid ${directory.path}/pid;\nevents {}\nhttp {\n${server}\n}`)
  const { code, said } = await outcomeOf([nginx, '-t', '-e', 'stderr', '-c', path])
  expect([code, said]).toEqual([0, expect.not.stringMatching(/\[(warn|emerg)\]/)])
})

needing('systemd-analyze').test('systemd accepts the unit, and finds it well confined', async () => {
  const path = installUnit('shipfeed.service')
  const analyze = (...words: string[]) => outcomeOf([systemdAnalyze, ...words, path])
  expect(aboutUs((await analyze('verify')).said)).toEqual([])
  const { code, said } = await analyze(
    'security',
    '--offline=true',
    '--no-pager',
    `--threshold=${exposureLimit}`,
  )
  expect([code, said]).toEqual([0, expect.stringContaining('Overall exposure level')])
})

needing('systemd-analyze').test(
  'systemd accepts several instances of the unit, set up as in the docs',
  async () => {
    const path = installUnit('shipfeed@.service')
    mkdirSync(`${path}.d`)
    writeFileSync(join(`${path}.d`, 'many.conf'), codeUnder('Many processes', 'ini'))
    const { said } = await outcomeOf([systemdAnalyze, 'verify', path.replace('@', '@1')])
    expect(aboutUs(said)).toEqual([])
  },
)

/** The path of a copy of the unit whose program exists: systemd looks for it, and ours is not installed here. */
function installUnit(name: string): string {
  const unit = readFileSync(join(deploy, 'shipfeed.service'), 'utf8')
  const path = join(directory.path, name)
  writeFileSync(path, unit.replace('ExecStart=/usr/local/bin/shipfeed', `ExecStart=${process.execPath}`))
  return path
}

/** Leaves out what systemd says about other units of this machine. */
function aboutUs(said: string): string[] {
  return said.split('\n').filter((line) => line.includes('shipfeed'))
}

needing('openssl').test('the service accepts the secrets that the docs create for compose', async () => {
  expect(readConfig({ DATABASE_URL_FILE: await madeSecret() }).databaseUrl).toMatch(
    /^postgres:\/\/shipfeed:[0-9a-f]{48}@postgres\/shipfeed$/,
  )
})

needing('openssl', 'postgresql').test(
  'the role that role.sql makes with these secrets has its own database, and is no superuser',
  async () => {
    const secret = await madeSecret()
    const cluster = await startPostgresCluster()
    try {
      const ask = ['host all postgres all trust', 'host all all all scram-sha-256', '']
      writeFileSync(join(cluster.socketFolder, 'pg_hba.conf'), ask.join('\n'))
      await cluster.configure({})
      const script = readFileSync(join(deploy, 'role.sql'), 'utf8')
      const path = join(directory.path, 'role.sql')
      writeFileSync(path, script.replace('/run/secrets/database_url', secret))
      // As the Postgres image runs it.
      const run = await outcomeOf(['psql', '--set=ON_ERROR_STOP=1', '--no-psqlrc', cluster.url, '-f', path])
      expect(run).toEqual({ code: 0, said: expect.stringContaining('CREATE DATABASE') })

      const server = cluster.url.replace(/.*@(.*)\/.*/, '$1')
      const db = await openPostgres(readFileSync(secret, 'utf8').replace('@postgres/', `@${server}/`))
      await db.migrated
      const rights = sql`select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as has_any
        from pg_roles where rolname = current_user`
      expect(await query(db, rights)).toEqual([{ has_any: false }])
      await db.close()
    } finally {
      await cluster.remove()
    }
  },
)

/** Runs the documented commands, and gives the file with the address of the database. */
async function madeSecret(): Promise<string> {
  const path = mkdtempSync(join(directory.path, 'compose-'))
  const commands = codeUnder('Image and compose', 'sh').replace(/^docker .*$/m, '')
  const made = await outcomeOf(['sh', '-euc', `mkdir deploy; ${commands}`], { cwd: path })
  expect(made).toEqual({ code: 0, said: '' })
  return join(path, 'deploy/secrets/database_url')
}
