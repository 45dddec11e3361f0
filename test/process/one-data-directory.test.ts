import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '../support/eventually.ts'
import { processesOn } from '../support/local/machine.ts'
import { signUpPoster } from '../support/people.ts'
import {
  doorOf,
  endOf,
  linesOf,
  type Process,
  startCommand,
  startProcess,
  temporaryDirectory,
} from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('On one DATA_DIR', () => {
  test('of two services that start at the same moment, one serves and the other says why not', async () => {
    for (let round = 0; round < 3; round += 1) {
      const DATA_DIR = named('two')
      const both = [1, 2].map(() => startProcess({ DATA_DIR }))
      const outcomes = await Promise.all(
        both.map(({ url }) =>
          url.then(
            () => 'serves',
            () => 'refused',
          ),
        ),
      )
      expect(outcomes.toSorted()).toEqual(['refused', 'serves'])
      const refused = await endOf(both[outcomes.indexOf('refused')] as Process)
      expect(refused.code).toBe(1)
      expect(linesOf(refused.output)).toEqual({
        log: [],
        others: [
          `Shipfeed cannot start: ${DATA_DIR} is in use by another process: stop it, or set another DATA_DIR`,
        ],
      })
      await stop(both[outcomes.indexOf('serves')] as Process)
    }
  })

  test('a service waits for a command that has it, and ends soon', async () => {
    const DATA_DIR = named('with a command')
    // With a database: on a loaded machine, creating one takes longer than a service waits.
    const first = startProcess({ DATA_DIR })
    await first.url
    await stop(first)
    // It reads nothing, and ends when this file is there.
    const end = named('the end of the command')
    const script = 'until [ -e "$1" ]; do sleep 0.1; done | "$0" src/main.ts restore'
    const restoring = startCommand(['sh', '-c', script, process.execPath, end], {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', DATA_DIR },
    })
    await eventually('the command has begun', () => restoring.output().includes('Opening'))
    await eventually('it has the database', () => isReady(DATA_DIR))
    const service = startProcess({ DATA_DIR })
    await Bun.sleep(1_000)
    writeFileSync(end, '')
    await signUpPoster(doorOf(await service.url))
    expect((await endOf(restoring)).output).toContain('nothing was restored')
    await stop(service)
  })

  describe('commands', () => {
    const commands: readonly (readonly [words: string[], says: RegExp])[] = [
      [['seed'], /^Seeded ada/m],
      [['check'], /^ok +schema +belongs to this version$/m],
      [['users'], /^ada +\d+ /m],
      [['dump', join(directory.path, 'whole.dump')], /^Wrote .*whole\.dump$/m],
      [['prune', '--before=2020-01-01', '--yes'], /^Deleted 0 deployments/m],
    ]
    const environment = { DATA_DIR: named('commanded') }

    test('work without a service, and leave nothing running', async () => {
      for (const [words, says] of commands) await expectDone(words, says)
      expect(processesOn(environment.DATA_DIR)).toEqual([])
    })

    test('that find a service that is just starting wait for it, and one of them makes no difference', async () => {
      const service = startProcess(environment)
      await eventually('it has begun', () => service.output().includes('Opening'))
      await Promise.all(commands.slice(1).map(([words, says]) => expectDone(words, says)))
      expect((await fetch(`${await service.url}/badge/ada.json`)).status).toBe(200)
      await stop(service)
    })

    test('work while a service runs, at the same time', async () => {
      const service = startProcess(environment)
      const door = doorOf(await service.url)
      const poster = await signUpPoster(door)
      await Promise.all(commands.map(([words, says]) => expectDone(words, says)))
      expect((await poster.announce({ message: 'As before' })).status).toBe(201)
      const target = named('restored')
      mkdirSync(target)
      const restored = await endOf(
        startProcess({ DATA_DIR: target }, 'src/main.ts', 'restore', join(directory.path, 'whole.dump')),
      )
      expect(restored).toEqual({ code: 0, output: expect.stringMatching(/^Restored 10 users/m) })
      await stop(service)
    })

    async function expectDone(words: string[], says: RegExp): Promise<void> {
      const { code, output } = await endOf(startProcess(environment, 'src/main.ts', ...words))
      expect([words, output, code]).toEqual([words, expect.stringMatching(says), 0])
      expect(output).not.toMatch(/WRONG|database_|Postgres says/)
    }
  })
})

/** Whether Postgres has written that it accepts connections. */
function isReady(dataDir: string): boolean {
  const file = join(dataDir, 'postgres/postmaster.pid')
  return existsSync(file) && /^ready/m.test(readFileSync(file, 'utf8'))
}

function named(name: string): string {
  return join(directory.path, name)
}

async function stop(service: Process): Promise<void> {
  service.child.kill('SIGTERM')
  expect((await endOf(service)).code).toBe(0)
}
