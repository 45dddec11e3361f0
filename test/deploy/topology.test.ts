import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase, query } from '../support/database.ts'
import { binary } from '../support/deploy/binary.ts'
import { failuresOf, visit } from '../support/deploy/visitors.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { followFeed } from '../support/live/follower.ts'
import { needing } from '../support/needs/needs.ts'
import { programOf } from '../support/needs/programs.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { doorOf, freePort, type Process, startCommand, temporaryDirectory } from '../support/process.ts'

const deploy = join(import.meta.dir, '../../deploy')

/** The settings of each process in compose.yaml, except addresses and folders. */
const { environment } = (
  Bun.YAML.parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8')) as {
    services: { 'app-1': { environment: Record<string, string | number> } }
  }
).services['app-1']

needing('haproxy').describe('What compose.yaml starts', () => {
  const directory = temporaryDirectory()
  const [publicPort, ...ports] = [freePort(), freePort(), freePort()] as const
  const address = `http://127.0.0.1:${publicPort}`
  const door = doorOf(address)
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let processes: Process[] = []
  let proxy: Bun.Subprocess
  let ada: Poster

  beforeAll(async () => {
    database = await createPostgresDatabase()
    writeFileSync(join(directory.path, 'database_url'), `${database.url}\n`)
    processes = await Promise.all(ports.map(startOn))
    await Promise.all(processes.map(({ url }) => url))
    const [app1, app2] = ports.map((port) => `127.0.0.1:${port}`)
    proxy = Bun.spawn([programOf('haproxy') ?? 'haproxy', '-db', '-f', join(deploy, 'haproxy.cfg')], {
      env: { LISTEN: `:${publicPort}`, APP_1: app1 ?? '', APP_2: app2 ?? '' },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await untilReady(door)
    ada = await signUpPoster(door)
  })

  afterAll(async () => {
    for (const { child } of [...processes, { child: proxy }]) {
      child.kill('SIGKILL')
      await child.exited
    }
    await database.drop()
    directory.remove()
  })

  async function startOn(port: number): Promise<Process> {
    const set = Object.entries(environment).map(([name, value]) => [name, String(value)])
    return startCommand([await binary()], {
      cwd: directory.path,
      env: {
        ...Object.fromEntries(set),
        BASE_URL: address,
        HOST: '127.0.0.1',
        PORT: String(port),
        DATABASE_URL_FILE: join(directory.path, 'database_url'),
        TRUSTED_PROXIES: '127.0.0.1',
        RATE_LIMIT_PER_MINUTE: '0',
      },
    })
  }

  needing('curl').test('sees each visitor with their own address', async () => {
    const username = 'from-elsewhere'
    const curl = [
      'curl',
      '--silent',
      '--interface',
      '127.0.0.9',
      `${address}/sign-up`,
      '--write-out',
      '%{http_code}',
    ]
    const fields = [
      '--header',
      `Origin: ${address}`,
      '--data',
      `username=${username}&name=X&password=correct horse battery`,
    ]
    const made = Bun.spawn([...curl, ...fields], { stdout: 'pipe' })
    expect(await made.stdout.text()).toBe('303')
    const logs = () => processes.map(({ output }) => output()).join('')
    await eventually('it is logged', () => logs().includes(username))
    expect(logs()).toMatch(new RegExp(`"user":"${username}".*"address":"127\\.0\\.0\\.9"`))
  })

  test('passes the live feed on immediately', async () => {
    const follower = followFeed(address)
    await eventually('it follows', () => follower.connections === 1)
    const id = await ada.announced({ message: 'Now' })
    await eventually('it has arrived, while the stream is open', () => follower.ids.includes(id))
    expect([follower.connections, follower.goodbyes]).toEqual([1, 0])
    await follower.stop()
  })

  test('loses nothing when a process is killed under load, and announces each key once', async () => {
    const follower = followFeed(address)
    const visitors = visit(door, ada, { count: 8 })
    await Bun.sleep(1_000)
    processes[0]?.child.kill('SIGKILL')
    await processes[0]?.child.exited
    await Bun.sleep(1_000)
    processes[0] = await startOn(ports[0])
    await Bun.sleep(2_000)
    await visitors.stop()

    expect(visitors.answers.length).toBeGreaterThan(20)
    expect(failuresOf(visitors)).toEqual([])
    const db = await openPostgres(database.url)
    await db.migrated
    const rows = await query<{ id: string; message: string }>(db, sql`select id, message from deployments`)
    await db.close()
    const announced = rows.map(({ message }) => message).filter((message) => /^\d+-\d+$/.test(message))
    expect(announced.sort()).toEqual(visitors.keys.toSorted())
    // A reader who missed more than 100 gets the last 100 (docs/decisions.md#feed).
    const ids = rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
    await eventually('the feed has the last', () => follower.ids.at(-1) === ids.at(-1))
    expect(follower.ids).toEqual(follower.gaps === 0 ? ids : ids.filter((id) => follower.ids.includes(id)))
    await follower.stop()
  })
})
