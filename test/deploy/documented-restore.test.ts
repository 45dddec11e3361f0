import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { query } from '../support/database.ts'
import { binary } from '../support/deploy/binary.ts'
import { codesUnder } from '../support/deploy/operations.ts'
import { outcomeOf } from '../support/deploy/programs.ts'
import { untilReady } from '../support/eventually.ts'
import { startIn } from '../support/local/machine.ts'
import { needing } from '../support/needs/needs.ts'
import { programOf } from '../support/needs/programs.ts'
import { signUp, signUpPoster } from '../support/people.ts'
import { startPostgresCluster } from '../support/postgres/cluster.ts'
import {
  doorOf,
  endOf,
  type Process,
  startCommand,
  startProcess,
  temporaryDirectory,
} from '../support/process.ts'

const root = join(import.meta.dir, '../..')
const standIns = join(import.meta.dir, '../support/deploy/stand-ins')
const [byHand = '', withSystemd = '', withCompose = ''] = codesUnder('Restore', 'sh')
const [commandOfRoot = ''] =
  /(?<=`)DATA_DIR=\/var\/lib\/shipfeed shipfeed password ada(?=`)/.exec(
    readFileSync(join(root, 'docs/operations.md'), 'utf8'),
  ) ?? []
const directory = temporaryDirectory()
chmodSync(directory.path, 0o711)
const dump = join(directory.path, 'shipfeed.dump')
let username = ''

beforeAll(async () => {
  const environment = { DATA_DIR: join(directory.path, 'dumped') }
  const service = startProcess(environment)
  const poster = await signUpPoster(doorOf(await service.url))
  username = poster.username
  await poster.announced({ message: 'Before the loss' })
  await endOf(startProcess(environment, 'src/main.ts', 'dump', dump))
  await stop(service)
})
afterAll(directory.remove)

test('by hand, a dump takes the place of the database that is there', async () => {
  const cwd = mkdtempSync(join(directory.path, 'by-hand-'))
  for (const name of ['package.json', 'tsconfig.json', 'node_modules', 'src', 'drizzle', 'static', 'ci']) {
    symlinkSync(join(root, name), join(cwd, name))
  }
  const dataDir = join(cwd, 'srv')
  await stop(await started({ DATA_DIR: dataDir }))
  const lines = byHand.replaceAll('/srv/shipfeed', dataDir).replace(/\S+\.dump/, dump)
  await run(lines, { cwd, PATH: process.env.PATH ?? '' })
  await expectRestored(await started({ DATA_DIR: dataDir }))
  expect(existsSync(join(dataDir, 'postgres.before'))).toBe(true)
})

/** A number that nobody has, as a user of systemd's making. */
const user = 54_321

needing('root', 'setpriv').test(
  'with systemd, what is restored belongs to the user of the service',
  async () => {
    const { folder, PATH } = await placeOfBinary()
    const dataDir = join(folder, 'var')
    const service = () =>
      startCommand(
        ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', join(folder, 'shipfeed')],
        {
          cwd: folder,
          env: { PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, BASE_URL: 'http://ship.example' },
        },
      )
    mkdirSync(dataDir, { mode: 0o700 })
    chownSync(dataDir, user, user)
    const first = service()
    await ready(first)
    await signUp(doorOf(await first.url), { username: 'ada' })
    const ofRoot = commandOfRoot.replace('/var/lib/shipfeed', dataDir)
    const link = await outcomeOf(['sh', '-euc', ofRoot], { cwd: folder, env: { PATH } })
    expect(link).toEqual({ code: 0, said: expect.stringContaining('http://ship.example/password?link=') })
    await stop(first)
    const lines = withSystemd
      .replace(/\/var\/lib(\/private)?\/shipfeed/g, dataDir)
      .replace('/usr/local/bin/shipfeed', join(folder, 'shipfeed'))
      .replace('shipfeed.dump', dump)
    await run(lines, { cwd: folder, PATH, SERVICE_USER: String(user) })
    const owners = await outcomeOf(['find', dataDir, '-not', '-user', String(user)])
    expect(owners).toEqual({ code: 0, said: '' })
    await expectRestored(service())
  },
)

needing('systemd-analyze').test('systemd knows what the documented line asks for', async () => {
  const asked = [...withSystemd.matchAll(/--property=(\S+)/g)].map(([, property = '']) => property)
  expect(asked.length).toBeGreaterThan(2)
  const unit = join(directory.path, 'shipfeed-restore.service')
  writeFileSync(unit, `[Service]\nExecStart=${process.execPath}\n${asked.join('\n')}\n`)
  const { said } = await outcomeOf([programOf('systemd-analyze') ?? '', 'verify', unit])
  expect(said.split('\n').filter((line) => line.includes('shipfeed'))).toEqual([])
})

needing('postgresql').test('with compose, a new database takes the place of the old one', async () => {
  const { folder, PATH } = await placeOfBinary()
  const cluster = await startPostgresCluster()
  try {
    const { hostname, port } = new URL(cluster.url)
    const server = { PGHOST: hostname, PGPORT: port }
    const made = await outcomeOf(
      [
        'psql',
        '--username=postgres',
        '-c',
        'create role shipfeed login',
        '-c',
        'create database shipfeed owner shipfeed',
      ],
      { env: { PATH, ...server } },
    )
    expect(made).toMatchObject({ code: 0 })
    const url = `postgres://shipfeed@${hostname}:${port}/shipfeed`
    await stop(await started({ DATABASE_URL: url }))
    await run(withCompose.replace('shipfeed.dump', dump), { cwd: folder, PATH, DATABASE_URL: url, ...server })
    await expectRestored(await started({ DATABASE_URL: url }))
    const db = await openPostgres(`${url}_before`)
    await db.migrated
    expect(await query(db, sql`select count(*)::int as count from users`)).toEqual([{ count: 0 }])
    await db.close()
  } finally {
    await cluster.remove()
  }
})

needing('root').test('what root restores into a folder of the service belongs to its user', async () => {
  const dataDir = mkdtempSync(join(directory.path, 'of-service-'))
  chownSync(dataDir, user, user)
  const restored = await endOf(startIn({ environment: { DATA_DIR: dataDir } }, 'restore', dump))
  expect(restored).toEqual({
    code: 0,
    output: expect.stringContaining(`deployments into DATA_DIR "${dataDir}"`),
  })
  expect(await outcomeOf(['find', dataDir, '-not', '-user', String(user)])).toEqual({ code: 0, said: '' })
  await expectRestored(startIn({ environment: { DATA_DIR: dataDir }, as: user }))
})

/** A folder with the binary, and the programs that take the place of systemd's and docker's. */
async function placeOfBinary(): Promise<{ folder: string; PATH: string }> {
  const folder = mkdtempSync(join(directory.path, 'binary-'))
  chmodSync(folder, 0o755)
  await outcomeOf(['cp', await binary(), folder])
  return { folder, PATH: `${standIns}:${folder}:${process.env.PATH}:${dirname(programOf('setpriv') ?? '')}` }
}

async function run(lines: string, { cwd, ...env }: { cwd: string; PATH: string; [name: string]: string }) {
  const { code, said } = await outcomeOf(['sh', '-euc', lines], {
    cwd,
    env: { HOME: directory.path, ...env },
  })
  expect([code, said]).toEqual([0, expect.stringContaining('Restored 1 users and 1 deployments')])
}

async function started(environment: Record<string, string>): Promise<Process> {
  const service = startProcess(environment)
  await ready(service)
  return service
}

async function ready(service: Process): Promise<void> {
  await untilReady(doorOf(await service.url))
}

async function expectRestored(service: Process): Promise<void> {
  await ready(service)
  const page = await doorOf(await service.url).fetch(`/${username}`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Before the loss')])
  await stop(service)
}

async function stop(service: Process): Promise<void> {
  service.child.kill('SIGTERM')
  await endOf(service)
}
