import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { assetAddresses } from '../../src/web/assets/files.ts'
import { createPostgresDatabase, testDatabaseUrl } from '../support/database.ts'
import { binary } from '../support/deploy/binary.ts'
import { untilReady } from '../support/eventually.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { doorOf, endOf, type Process, startCommand, temporaryDirectory } from '../support/process.ts'

/** All that a binary needs to be told here: every test has a port of its own. */
const env = { HOST: '127.0.0.1', PORT: '0' }

let program: string
beforeAll(async () => {
  program = await binary()
}, 60_000)

describe('The one binary', () => {
  const directory = temporaryDirectory()
  afterAll(directory.remove)

  test('needs nothing beside it, and keeps what it acknowledged when it is killed', async () => {
    // What lies about in a folder is not for it.
    writeFileSync(join(directory.path, '.env'), 'PORT=none\nBASE_URL=none\n')
    writeFileSync(join(directory.path, 'bunfig.toml'), 'preload = ["./none.ts"]\n')
    const first = startCommand([program], { cwd: directory.path, env })
    const ada = await announceAndSee(first)
    first.child.kill('SIGKILL')
    await first.child.exited

    const second = startCommand([program], { cwd: directory.path, env })
    const door = doorOf(await second.url)
    expect(await badgeOf(door, ada)).toBe('Fresh')
    for (const address of [assetAddresses.app, assetAddresses.css, assetAddresses.htmx]) {
      expect([address, (await door.fetch(address)).status]).toEqual([address, 200])
    }
    expect(await run(['healthcheck'], { PORT: new URL(await second.url).port })).toEqual({
      code: 0,
      output: 'ready\n',
    })
    await end(second)
    expect(readdirSync(directory.path).sort()).toEqual(['.env', 'bunfig.toml', 'data'])
  }, 60_000)

  test.skipIf(testDatabaseUrl === undefined)(
    'keeps nothing in its folder on Postgres (needs TEST_DATABASE_URL)',
    async () => {
      const { path, remove } = temporaryDirectory()
      const { url, drop } = await createPostgresDatabase(testDatabaseUrl ?? '')
      const service = startCommand([program], { cwd: path, env: { ...env, DATABASE_URL: url } })
      await announceAndSee(service)
      await end(service)
      expect(readdirSync(path)).toEqual([])
      await drop()
      remove()
    },
    60_000,
  )

  test('tells what it is and what it can do, and refuses anything else in one line', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, output: `${version}\n` })
    const { code, output } = await run(['help'])
    expect([code, output]).toEqual([0, expect.stringContaining('Usage: shipfeed <command>')])
    for (const [, command = ''] of output.matchAll(/^ {2}(\w+)/gm)) {
      const help = await run([command, '--help'])
      expect([help.code, help.output]).toEqual([0, expect.stringContaining(`Usage: shipfeed ${command}`)])
    }
    expect(await run(['healthcheck'], { PORT: '1' })).toEqual({
      code: 1,
      output: 'Shipfeed healthcheck: http://127.0.0.1:1/readyz does not answer (ECONNREFUSED)\n',
    })
    expect((await run(['nothing'])).code).toBe(1)
  }, 30_000)

  async function run(words: readonly string[], environment: Record<string, string> = {}) {
    return await endOf(startCommand([program, ...words], { cwd: directory.path, env: environment }))
  }
})

const isRoot = process.getuid?.() === 0
const script = join(import.meta.dir, '../support/deploy/read-only-root.sh')

describe.skipIf(!isRoot)(
  'In a read-only root with nothing but a C library and its data (needs to be root)',
  () => {
    const root = temporaryDirectory()
    const data = temporaryDirectory()
    afterAll(() => [root, data].map(({ remove }) => remove()))

    test('the binary runs as a user that nobody knows, and writes to its data alone', async () => {
      const command = ['unshare', '--mount', script, root.path, program, '23456', data.path, '/shipfeed']
      const place = { cwd: '/', env: { ...env, PATH: process.env.PATH ?? '', DATA_DIR: '/data' } }
      const service = startCommand(command, place)
      await announceAndSee(service)
      const status = await Bun.file(`/proc/${service.child.pid}/status`).text()
      expect(status).toMatch(/^Uid:\t23456\t23456\t23456\t23456$/m)
      expect(status).toMatch(/^CapEff:\t0+$/m)
      await end(service)
      expect(readdirSync(data.path)).toContain('postgres')
      expect(statSync(join(data.path, 'postgres')).uid).toBe(23456)
    }, 60_000)
  },
)

/** Announces a deployment, and sees it in the feed and on its poster's badge. */
async function announceAndSee(service: Process): Promise<Poster> {
  const door = doorOf(await service.url)
  await untilReady(door)
  const poster = await signUpPoster(door)
  expect((await poster.announce({ message: 'One binary' })).status).toBe(201)
  expect(await badgeOf(door, poster)).toBe('Fresh')
  expect(await (await door.fetch('/')).text()).toContain('One binary')
  return poster
}

async function badgeOf(door: ReturnType<typeof doorOf>, { username }: Poster): Promise<string> {
  const badge = await door.fetch(`/badge/${username}.json`)
  return ((await badge.json()) as { message: string }).message
}

async function end(service: Process): Promise<void> {
  service.child.kill('SIGTERM')
  expect((await endOf(service)).code).toBe(0)
}
