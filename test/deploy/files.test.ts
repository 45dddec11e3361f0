import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { codeUnder } from '../support/deploy/operations.ts'
import { outcomeOf, programOf } from '../support/deploy/programs.ts'
import { temporaryDirectory } from '../support/process.ts'

const root = join(import.meta.dir, '../..')
const deploy = join(root, 'deploy')
const directory = temporaryDirectory()
afterAll(directory.remove)

const [haproxy, systemdAnalyze, nginx] = ['haproxy', 'systemd-analyze', 'nginx'].map(programOf)

/** As systemd counts: from 0, well locked up, to 100. Most services of a distribution are above 80. */
const exposureLimit = '15'

test('compose.yaml fits the official schema, and what its linter asks for', async () => {
  const checked = await outcomeOf([join(root, 'node_modules/.bin/dclint'), '--max-warnings', '0', deploy])
  expect(checked).toEqual({ code: 0, said: expect.any(String) })
})

test('compose.yaml and the service of systemd set what there is to set', async () => {
  const { services } = Bun.YAML.parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8')) as {
    services: Record<string, { environment?: Record<string, unknown> }>
  }
  const unit = readFileSync(join(deploy, 'shipfeed.service'), 'utf8')
  const set = [
    ...Object.keys(services['app-1']?.environment ?? {}),
    ...[...unit.matchAll(/^#?Environment=(.*)$/gm)].flatMap(([, all = '']) =>
      all.split(' ').map((one) => one.split('=')[0] ?? ''),
    ),
  ]
  const asked = new Set<string>()
  readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }))
  expect(set.length).toBeGreaterThan(5)
  expect(set.filter((name) => !asked.has(name))).toEqual([])
})

test.skipIf(haproxy === null)('haproxy takes haproxy.cfg (needs apt-get install haproxy)', async () => {
  const env = { APP_1: '127.0.0.1:1', APP_2: '127.0.0.1:2' }
  const { code, said } = await outcomeOf([haproxy ?? '', '-c', '-f', join(deploy, 'haproxy.cfg')], { env })
  expect([code, said]).toEqual([0, expect.not.stringMatching(/WARNING|ALERT/)])
})

test.skipIf(nginx === null)("nginx takes the docs' server (needs apt-get install nginx)", async () => {
  const [certificate, key] = ['ship.pem', 'ship.key'].map((name) => join(directory.path, name))
  const subject = ['-subj', '/CN=ship.example', '-keyout', key ?? '', '-out', certificate ?? '']
  await outcomeOf(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject])
  const server = codeUnder('Behind a proxy', 'nginx')
    .replace('/etc/ssl/ship.example.pem', certificate ?? '')
    .replace('/etc/ssl/ship.example.key', key ?? '')
  const path = join(directory.path, 'nginx.conf')
  writeFileSync(path, `pid ${directory.path}/pid;\nevents {}\nhttp {\n${server}\n}`)
  const { code, said } = await outcomeOf([nginx ?? '', '-t', '-e', 'stderr', '-c', path])
  expect([code, said]).toEqual([0, expect.not.stringMatching(/\[(warn|emerg)\]/)])
})

test.skipIf(nginx === null)('nginx takes nginx.conf (needs apt-get install nginx)', async () => {
  const path = join(directory.path, 'many.conf')
  writeFileSync(
    path,
    `pid ${directory.path}/pid;\nevents {}\nhttp { include ${join(deploy, 'nginx.conf')}; }`,
  )
  const { code, said } = await outcomeOf([nginx ?? '', '-t', '-e', 'stderr', '-c', path])
  expect([code, said]).toEqual([0, expect.not.stringMatching(/\[(warn|emerg)\]/)])
})

test.skipIf(systemdAnalyze === null)(
  'systemd takes the unit, and finds it locked up (needs systemd)',
  async () => {
    const path = installUnit('shipfeed.service')
    const analyze = (...words: string[]) => outcomeOf([systemdAnalyze ?? '', ...words, path])
    expect(aboutUs((await analyze('verify')).said)).toEqual([])
    const { code, said } = await analyze(
      'security',
      '--offline=true',
      '--no-pager',
      `--threshold=${exposureLimit}`,
    )
    expect([code, said]).toEqual([0, expect.stringContaining('Overall exposure level')])
  },
)

test.skipIf(systemdAnalyze === null)(
  'systemd takes the unit several times, with what the docs say (needs systemd)',
  async () => {
    const path = installUnit('shipfeed@.service')
    mkdirSync(`${path}.d`)
    writeFileSync(join(`${path}.d`, 'many.conf'), codeUnder('Many processes', 'ini'))
    const { said } = await outcomeOf([systemdAnalyze ?? '', 'verify', path.replace('@', '@1')])
    expect(aboutUs(said)).toEqual([])
  },
)

/** Gives the path of the unit under a name; systemd looks for its program, which is not installed here. */
function installUnit(name: string): string {
  const unit = readFileSync(join(deploy, 'shipfeed.service'), 'utf8')
  const path = join(directory.path, name)
  writeFileSync(path, unit.replace('ExecStart=/usr/local/bin/shipfeed', `ExecStart=${process.execPath}`))
  return path
}

/** Of other units of this machine systemd may say what it likes. */
function aboutUs(said: string): string[] {
  return said.split('\n').filter((line) => line.includes('shipfeed'))
}

test('the secrets that the docs make for compose are ones that the service takes', async () => {
  const commands = codeUnder('Image and compose', 'sh').replace(/^docker .*$/m, '')
  const made = await outcomeOf(['sh', '-euc', `mkdir deploy; ${commands}`], { cwd: directory.path })
  expect(made).toEqual({ code: 0, said: '' })
  const secret = join(directory.path, 'deploy/secrets/database_url')
  expect(readConfig({ DATABASE_URL_FILE: secret }).databaseUrl).toMatch(
    /^postgres:\/\/shipfeed:[0-9a-f]{48}@postgres\/shipfeed$/,
  )
})
