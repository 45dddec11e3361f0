import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningCommands } from './support/ci/server.ts'
import { eventually } from './support/eventually.ts'
import { endOf, startCommand, temporaryDirectory } from './support/process.ts'

const support = join(import.meta.dir, 'support')
const directory = temporaryDirectory()
afterAll(directory.remove)

/** Starts `npm test`, or another command, with one file of tests, which has this text. */
function start(text: string, more: Record<string, string> = {}, command = ['npm', 'test', '--']) {
  const place = mkdtempSync(join(directory.path, 'run-'))
  const file = join(place, 'some.test.ts')
  const TMPDIR = join(place, 'temporary')
  mkdirSync(TMPDIR)
  const imports = `
    import { beforeAll, expect, test } from 'bun:test'
    import { mkdtempSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    import { needing, testEach } from '${support}/needs/needs.ts'
    import { startCommand } from '${support}/process.ts'`
  writeFileSync(file, `${imports}\n${text}`)
  const running = startCommand([...command, file], {
    cwd: join(import.meta.dir, '..'),
    env: { PATH: process.env.PATH ?? '', TMPDIR, ...more },
  })
  return { ...running, temporaryFiles: () => readdirSync(TMPDIR) }
}

/** Its processes can be told from those of other tests. */
const sleep = `sleep 600.${process.pid}`
const sleeping = () => runningCommands().filter((line) => line.startsWith(sleep)).length

/** A test that starts a process, which starts another one, and one in a session of its own, and lasts this long. */
const starting = (ms: number) => `
  test('starts processes', async () => {
    mkdtempSync(tmpdir() + '/left-')
    const child = Bun.spawn(['sh', '-c', '${sleep} & echo; exec ${sleep}'])
    await child.stdout.getReader().read()
    Bun.spawn(['sh', '-c', 'exec ${sleep}'], { detached: true })
    await Bun.sleep(${ms})
  }, 700_000)`

test('npm test says how many tests were left out, by what they need', async () => {
  const run = start(`
    testEach(['sh', 'env A=b no-such-shell -s'], 'sh')('in %s', async () => {})
    needing('sh').test('runs', () => {})
    needing('sh', 'no-such-program').test.each([1, 2])('of a table: %d', () => expect(1).toBe(2))
    needing('no-such-program', 'root-of-all').describe.skipIf(false)('A <group>', () => {
      beforeAll(() => expect(1).toBe(2))
      test('of "tests"', () => expect(1).toBe(2))
    })`)
  const { code, output } = await endOf(run)
  expect([code, output]).toEqual([0, expect.stringContaining(' 2 pass\n')])
  expect(output).toContain('(skip) in env A=b no-such-shell -s (needs no-such-shell)\n')
  const counts = ['3 tests need no-such-program', '1 test needs no-such-shell', '1 test needs root-of-all']
  expect(output).toEndWith(`\nLeft out: ${counts.join(', ')}\n`)
})

test('In CI, npm test fails if a test was left out', async () => {
  const some = start(`needing('no-such-program').test('is left out', () => {})`, { CI: 'true' })
  expect((await endOf(some)).code).toBe(1)
  const none = await endOf(start(`test('runs', () => {})`, { CI: 'true' }))
  expect([none.code, none.output]).toEqual([0, expect.not.stringContaining('Left out')])
})

test.each([
  ['passes', 0, ''],
  ['fails', 1, `\ntest('fails', () => expect(1).toBe(2))`],
])('npm test that %s leaves nothing behind', async (_, expected, more) => {
  const run = start(starting(100) + more)
  expect((await endOf(run)).code).toBe(expected)
  await eventually('its processes have ended', () => sleeping() === 0)
  expect(run.temporaryFiles()).toEqual([])
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('npm test that is ended by %s leaves nothing behind', async (signal, expected) => {
  const run = start(starting(600_000))
  await eventually('its processes run', () => sleeping() === 3)
  run.child.kill(signal)
  expect((await endOf(run)).code).toBe(expected)
  await eventually('its processes have ended', () => sleeping() === 0)
  expect(run.temporaryFiles()).toEqual([])
})

test('bun test alone ends what a test that failed has started as the service', async () => {
  const text = `
    test('fails', async () => {
      const { printed } = startCommand(['sh', '-c', 'exec ${sleep}'], { cwd: '/', env: { PATH: process.env.PATH } })
      expect(await Promise.race([printed, Bun.sleep(100)])).toBe('reached')
    })`
  expect((await endOf(start(text, {}, [process.execPath, 'test']))).code).toBe(1)
  await eventually('it has ended', () => sleeping() === 0)
})
