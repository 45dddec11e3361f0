import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { json, post } from '../support/api.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { canChange, hiding, startIn } from '../support/local/machine.ts'
import { signIn, signUpPoster } from '../support/people.ts'
import {
  doorOf,
  endOf,
  linesOf,
  type Process,
  placeOf,
  proxiedDoorOf,
  startCommand,
  startProcess,
  temporaryDirectory,
} from '../support/process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const directory = temporaryDirectory()
/** A DATA_DIR of version 1.1.0 (test/fixtures/README.md). */
const former = join(directory.path, 'data')
const fixture = join(root, 'test/fixtures/pglite-1.1.0.tar.xz')
const isUnpacked =
  Bun.spawnSync(['tar', '-xJf', fixture, '-C', directory.path], { stderr: 'ignore' }).exitCode === 0

const ada = { username: 'ada', name: 'Ada Lovelace', password: 'an engine of analysis' }
const token = 'ship_E7UBlyEyW9K2bWpdjDdbdm1UR4yoIc2RHgOt'

const running = new Set<Process>()
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  for (const service of running) await endOf(service)
  running.clear()
})
afterAll(directory.remove)

describe.skipIf(!isUnpacked)('A DATA_DIR of version 1.1.0 (unpacked by xz)', () => {
  test('is moved by the first start with all that it has, and by no other; the old folder is kept as it was', async () => {
    const dataDir = copyOfFormer()
    const before = contentsOf(join(dataDir, 'postgres'))
    const first = start(dataDir)
    await expectEverything(first)
    expect(timesMoved(first)).toBe(2)
    expect(readdirSync(dataDir).toSorted()).toEqual(['lock', 'pglite', 'postgres'])
    expect(contentsOf(join(dataDir, 'pglite'))).toEqual(before)

    const webhooks = await command(dataDir, 'webhooks')
    expect(webhooks.output).toMatch(/^1 +ada +standard +(?!paused)\w+ .*https:\/\/hooks\.example\.org\/ada$/m)
    const door = doorOf(await first.url)
    const next = await post(door, token, json({ message: 'After the move' }))
    expect(next.status).toBe(201)
    expect(((await next.json()) as { id: number }).id).toBeGreaterThan(37)
    await stop(first)

    const second = start(dataDir)
    const newest = (await (await doorOf(await second.url).fetch('/api/deployments?limit=1')).json()) as List
    expect(newest.deployments[0]?.message).toBe('After the move')
    expect(timesMoved(second)).toBe(0)
    await stop(second)
  })

  describe('whose move is killed', () => {
    test.each<[string, Instant]>([
      ['while it copies the old folder', { when: (at) => existsSync(at('pglite.copy')) }],
      [
        'while it writes the dump (held up by strace)',
        {
          hold: ['fsync', 'from-pglite.dump.unfinished'],
          when: (at) => existsSync(at('from-pglite.dump.unfinished')),
        },
      ],
      [
        'between the dump and the new place of the old folder (held up by strace)',
        { hold: ['rename', 'postgres'], when: (at) => existsSync(at('from-pglite.dump')) },
      ],
      ['before it makes the new database', { when: (at) => existsSync(at('pglite')) }],
      [
        'when the new database is in its place',
        { when: (at) => existsSync(at('pglite')) && existsSync(at('postgres')) },
      ],
      [
        'between restoring the dump and its removal (held up by strace)',
        {
          hold: ['unlink,unlinkat', 'from-pglite.dump'],
          when: (at) =>
            existsSync(at('pglite')) &&
            existsSync(at('postgres/postmaster.opts')) &&
            !existsSync(at('postgres/postmaster.pid')),
        },
      ],
    ])('%s is finished by the next start, and commands do not come in between', async (_, { hold, when }) => {
      const dataDir = copyOfFormer()
      const at = (name: string) => join(dataDir, name)
      const killed = hold === undefined ? start(dataDir) : startHeld(dataDir, hold)
      await eventually('that instant', () => when(at))
      if (hold !== undefined) await Bun.sleep(300)
      const tracer = tracerOf(killed)
      killed.child.kill('SIGKILL')
      // It would hold up the dead process.
      if (tracer > 0) process.kill(tracer, 'SIGKILL')
      await endOf(killed)
      expect(killed.output()).not.toContain('Moved the database')
      if (hold !== undefined) expect(existsSync(at(hold[1]))).toBe(true)

      for (const words of [['users'], ['seed'], ['check'], ['restore', fixture]]) {
        const { code, output } = await command(dataDir, ...words)
        expect([words, code, output]).toEqual([words, 1, expect.stringContaining(unmoved(dataDir))])
      }
      await expectEverything(start(dataDir))
      expect(readdirSync(dataDir).toSorted()).toEqual(['lock', 'pglite', 'postgres'])
    })

    test('at any time is finished by the next start that is not', async () => {
      const dataDir = copyOfFormer()
      for (let afterMs = 300; afterMs < 4_000; afterMs += 350) {
        const killed = start(dataDir)
        await Bun.sleep(afterMs)
        killed.child.kill('SIGKILL')
        await endOf(killed)
      }
      await expectEverything(start(dataDir))
    })
  })

  test.each<[string, (postgres: string) => void]>([
    ['its log is missing', (path) => rmSync(join(path, 'pg_wal'), { recursive: true })],
    ['its tables are missing', (path) => rmSync(join(path, 'base'), { recursive: true })],
    ['a table is damaged', (path) => writeFileSync(join(path, 'base/5/1259'), 'no page')],
    [
      'it says that another version made it',
      (path) => {
        const control = join(path, 'global/pg_control')
        const bytes = readFileSync(control)
        bytes[8] = 0
        writeFileSync(control, bytes)
      },
    ],
  ])('is refused in one line and left as it is, where %s', async (_, damage) => {
    const dataDir = copyOfFormer()
    damage(join(dataDir, 'postgres'))
    const before = contentsOf(dataDir)
    const { code, output } = await endOf(start(dataDir))
    const { others } = linesOf(output)
    expect(others).toEqual([
      expect.stringMatching(
        /^Shipfeed cannot start: the database of PGlite in .*, and was not changed: check/,
      ),
    ])
    expect(others[0]).toContain(join(dataDir, 'postgres'))
    expect(code).toBe(1)
    expect(contentsOf(dataDir)).toEqual(before)
  })

  test('is left as it is, where the folder of an earlier move is in the way', async () => {
    const dataDir = copyOfFormer()
    mkdirSync(join(dataDir, 'pglite/of-before'), { recursive: true })
    const before = contentsOf(dataDir)
    const { code, output } = await endOf(start(dataDir))
    expect([code, linesOf(output).others]).toEqual([
      1,
      [
        `Shipfeed cannot start: ${dataDir}/pglite is of an earlier move, and this one needs its place: move it elsewhere`,
      ],
    ])
    expect(contentsOf(dataDir)).toEqual(before)
  })

  test.skipIf(!canChange)(
    'is left as it is where PGlite is not installed: one line says how to move (needs root and mounts)',
    async () => {
      const dataDir = copyOfFormer()
      const before = contentsOf(dataDir)
      const changes = [hiding(join(root, 'node_modules/@electric-sql/pglite'))]
      const { code, output } = await endOf(startIn({ environment: { DATA_DIR: dataDir }, changes }))
      expect([code, linesOf(output).others]).toEqual([
        1,
        [
          `Shipfeed cannot start: ${dataDir}/postgres was made by Shipfeed 1.1.0 or older: run "dump" with that version, and "restore" with this one into another DATA_DIR`,
        ],
      ])
      expect(contentsOf(dataDir)).toEqual(before)
    },
  )
})

test('A DATA_DIR of version 1.0.0, whose tables are older, is moved as well', async () => {
  const release = join(directory.path, '1.0.0')
  mkdirSync(release)
  await Bun.$`tar -xzf ${join(root, 'test/support/release/1.0.0.tar.gz')} -C ${release}`
  symlinkSync(join(root, 'node_modules'), join(release, 'node_modules'))
  const dataDir = join(directory.path, 'data of 1.0.0')
  const older = startCommand([process.execPath, 'src/main.ts'], {
    ...placeOf({ DATA_DIR: dataDir }),
    cwd: release,
  })
  running.add(older)
  // Our OpenAPI document does not describe an older release.
  const olderDoor = proxiedDoorOf(await older.url)
  await untilReady(olderDoor)
  const poster = await signUpPoster(olderDoor)
  const call = [
    { message: 'feat: by 1.0.0', url: 'https://github.com/ada/engine' },
    { 'Idempotency-Key': 'a' },
  ] as const
  const id = await poster.announced(...call)
  older.child.kill('SIGKILL')
  await endOf(older)

  const door = doorOf(await start(dataDir).url)
  const again = await post(door, poster.token, json(call[0]), call[1])
  expect(await again.json()).toMatchObject({ id })
  const badge = await door.fetch(`/badge/${poster.username}.json?url=github.com/ada/engine`)
  expect(await badge.json()).toMatchObject({ message: 'Fresh' })
  const list = (await (await door.fetch('/api/deployments')).json()) as List
  expect(list.deployments).toMatchObject([{ id, message: 'feat: by 1.0.0', category: 'feature' }])
})

/** When a move is killed: at a system call on a file of DATA_DIR that is held up, or as soon as `when` holds. */
type Instant = {
  readonly hold?: readonly [call: string, name: string]
  readonly when: (at: (name: string) => string) => boolean
}

type Row = Record<'message' | 'url' | 'environment' | 'version', string> & { id: number; deployed_at: string }
type List = { readonly deployments: readonly Row[] }

let copies = 0

function copyOfFormer(): string {
  copies += 1
  const dataDir = join(directory.path, `copy-${copies}`)
  cpSync(former, dataDir, { recursive: true })
  return dataDir
}

function start(dataDir: string): Process {
  const service = startProcess({ DATA_DIR: dataDir })
  running.add(service)
  return service
}

function startHeld(dataDir: string, [call, name]: readonly [string, string]): Process {
  const held = ['-P', join(dataDir, name), '-e', `trace=${call}`, '-e', `inject=${call}:delay_enter=100s`]
  const service = startCommand(
    ['strace', '-D', '-f', '--seccomp-bpf', ...held, '-o', '/dev/null', process.execPath, 'src/main.ts'],
    placeOf({ DATA_DIR: dataDir }),
  )
  running.add(service)
  return service
}

/** The process id of the strace that holds up a process; 0 if there is none. */
function tracerOf({ child }: Process): number {
  const [, pid] = /^TracerPid:\t(\d+)$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(pid)
}

async function stop(service: Process): Promise<void> {
  service.child.kill('SIGTERM')
  expect((await endOf(service)).code).toBe(0)
}

function command(dataDir: string, ...words: string[]): ReturnType<typeof endOf> {
  return endOf(startProcess({ DATA_DIR: dataDir }, 'src/main.ts', ...words))
}

function unmoved(dataDir: string): string {
  return `${dataDir}/postgres was made by Shipfeed 1.1.0 or older: start the service on it once, and wait until it has moved it to Postgres`
}

function timesMoved(service: Process): number {
  return service.output().split('"event":"database_moving"').length - 1
}

/** What was announced by the key run-`n`. */
function announced(n: number) {
  return {
    message: `feat: step ${n} ✨`,
    url: `https://github.com/ada/engine/commit/abcdef${n}`,
    environment: n % 3 === 0 && n <= 30 ? 'production' : 'staging',
    version: `v1.${n}`,
  }
}

/** The third was withdrawn. After the kill of a former process, ids went on at 34. */
const everyNumber = Array.from({ length: 34 }, (_, n) => n + 1).filter((n) => n !== 3)
const idOf = (n: number) => (n <= 30 ? n : n + 3)

async function expectEverything(service: Process): Promise<void> {
  const door = doorOf(await service.url)
  const list = (await (await door.fetch('/api/deployments?user=ada&limit=100')).json()) as List
  expect(list.deployments).toHaveLength(34)
  expect(list.deployments.slice(0, 33)).toMatchObject(
    everyNumber.toReversed().map((n) => ({ id: idOf(n), ...announced(n) })),
  )
  expect(list.deployments[33]).toMatchObject({
    version: 'v0.1',
    deployed_at: expect.stringMatching(/^2025-03-01/),
  })
  for (const n of [1, 30, 31, 34]) {
    const again = await post(door, token, json(announced(n)), { 'Idempotency-Key': `run-${n}` })
    expect(await again.json()).toMatchObject({ id: idOf(n) })
  }
  const badge = await door.fetch('/badge/ada.json?url=github.com/ada/engine&env=production')
  expect(await badge.json()).toMatchObject({
    isError: false,
    message: expect.not.stringContaining('unavailable'),
  })
  const browser = await signIn(door, ada, ada.password)
  const page = await (await browser.get('/settings')).text()
  expect(page).toContain('Ada Lovelace')
  const year = await (await door.fetch('/ada?on=2025-03-01')).text()
  expect(year).toContain('v0.1')
}

/** The content of every file. */
function contentsOf(path: string): Record<string, string> {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name)
      return [file.slice(path.length), Bun.hash(readFileSync(file)).toString(36)]
    }),
  )
}
