import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, patience, untilReady } from '../../support/eventually.ts'
import {
  canChange,
  childrenOf,
  commandOf,
  isRunning,
  postgresOf,
  processesOn,
  replacing,
  startIn,
} from '../../support/local/machine.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import {
  doorOf,
  endOf,
  freePort,
  type Process,
  placeOf,
  startProcess,
  temporaryDirectory,
} from '../../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

describe('A service with a Postgres of its own stops', () => {
  test('while it makes the database: nothing is left running, and the next start makes it', async () => {
    const DATA_DIR = named('new')
    for (const afterMs of [0, 100, 300, 700]) {
      const port = freePort()
      const service = startProcess({ DATA_DIR, PORT: String(port) })
      await eventually('it listens', () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => true,
          () => false,
        ),
      )
      await Bun.sleep(afterMs)
      await expectStop(service)
      await eventually('all has ended', () => processesOn(DATA_DIR).length === 0)
    }
    const { service, poster } = await started({ DATA_DIR })
    expect((await poster.announce({ message: 'Whole' })).status).toBe(201)
    expect(readdirSync(DATA_DIR).toSorted()).toEqual(['lock', 'postgres'])
    await expectStop(service)
  })

  test('while it waits before it starts Postgres again, without waiting for that', async () => {
    const DATA_DIR = named('paused')
    const { service, door } = await started({ DATA_DIR })
    // Each time the pause is twice as long.
    for (let n = 1; n <= 6; n += 1) {
      if (n > 1) await untilReady(door)
      process.kill(postgresOf(DATA_DIR).pid, 'SIGKILL')
      await eventually('it is noticed', () => timesIn(service.output(), 'database_ended') === n)
    }
    const begin = performance.now()
    await expectStop(service)
    expect(performance.now() - begin).toBeLessThan(patience(2_000))
  })

  test('in time though Postgres is slow at its last checkpoint, for which the next start waits (held up by strace)', async () => {
    const DATA_DIR = named('slow')
    const { service, poster } = await started({ DATA_DIR })
    expect((await poster.announce({ message: 'Before the stop' })).status).toBe(201)
    const { pid } = postgresOf(DATA_DIR)
    const checkpointer = childrenOf(pid).find((child) => commandOf(child).includes('checkpointer'))
    const slow = ['-e', 'trace=fsync', '-e', 'inject=fsync:delay_enter=40s:when=1']
    const strace = Bun.spawn(['strace', ...slow, '-o', '/dev/null', '-p', String(checkpointer)], {
      stderr: 'pipe',
    })
    // strace says when it is attached.
    await strace.stderr.getReader().read()
    await expectStop(service)
    expect(isRunning(pid)).toBe(true)
    const next = startProcess({ DATA_DIR })
    const door = doorOf(await next.url)
    expect(next.output()).toContain(`Waiting for the Postgres of a former process (${pid}) to end`)
    expect(isRunning(pid)).toBe(false)
    const response = await door.fetch(`/api/deployments?user=${poster.username}`)
    expect(await response.json()).toMatchObject({ deployments: [{ message: 'Before the stop' }] })
    await expectStop(next)
    strace.kill()
  })

  test('after a Ctrl-C at a terminal, of which Postgres gets nothing', async () => {
    const DATA_DIR = named('at a terminal')
    let output = ''
    const child = Bun.spawn([process.execPath, 'src/main.ts'], {
      ...placeOf({ DATA_DIR, DRAIN_SECONDS: '10' }),
      terminal: {
        data(_, bytes) {
          output += Buffer.from(bytes).toString()
        },
      },
    })
    await eventually('it invites', () => output.includes('Open '))
    const door = doorOf(`http://${/127\.0\.0\.1:\d+/.exec(output)?.[0]}`, 60)
    const poster = await signUpPoster(door)
    child.terminal?.write('\u0003')
    await eventually('it drains', () => output.includes('is stopping'))
    await Bun.sleep(1_000)
    expect((await poster.announce({ message: 'Meanwhile' })).status).toBe(201)
    expect(await child.exited).toBe(0)
    expect(output).not.toContain('Postgres has ended')
    expect(processesOn(DATA_DIR)).toEqual([])
  })

  test.skipIf(!canChange)(
    'at once by a second signal: Postgres ends also where no kernel sees to that (needs root and mounts)',
    async () => {
      const DATA_DIR = named('twice')
      const service = startIn({
        environment: { DATA_DIR, DRAIN_SECONDS: '20' },
        changes: [replacing('"$(command -v setpriv)"', '/dev/null')],
      })
      await service.url
      expect(isRunning(postgresOf(DATA_DIR).pid)).toBe(true)
      service.child.kill('SIGTERM')
      await Bun.sleep(1_000)
      service.child.kill('SIGTERM')
      expect((await endOf(service)).code).toBe(1)
      await eventually('Postgres has ended', () => processesOn(DATA_DIR).length === 0)
    },
  )
})

describe('A service with a Postgres of its own goes on', () => {
  test('with the same Postgres after it was itself halted', async () => {
    const DATA_DIR = named('halted')
    const { service, door } = await started({ DATA_DIR })
    const { pid } = postgresOf(DATA_DIR)
    // Longer than Postgres may be silent.
    for (const ms of [12_000, 6_000]) {
      service.child.kill('SIGSTOP')
      await Bun.sleep(ms)
      service.child.kill('SIGCONT')
      await untilReady(door)
    }
    // It asks once more.
    await Bun.sleep(6_000)
    expect(postgresOf(DATA_DIR).pid).toBe(pid)
    expect(service.output()).not.toContain('Postgres does not answer')
    await expectStop(service)
  })

  test('without its DATA_DIR as in an outage, and as before when that is back', async () => {
    const DATA_DIR = named('gone')
    const { service, door, poster } = await started({ DATA_DIR })
    renameSync(DATA_DIR, named('elsewhere'))
    await eventually('it is noticed', () => service.output().includes('"event":"disk_full"'))
    expect((await poster.announce({ message: 'Into the void' })).status).toBe(503)
    expect((await door.fetch('/healthz')).status).toBe(200)
    expect(existsSync(DATA_DIR)).toBe(false)
    renameSync(named('elsewhere'), DATA_DIR)
    await eventually('it is noticed', () => service.output().includes('"event":"disk_freed"'))
    await untilReady(door)
    expect((await poster.announce({ message: 'Back' })).status).toBe(201)
    await expectStop(service)
  })
})

async function started(
  environment: Record<string, string>,
): Promise<{ service: Process; door: ReturnType<typeof doorOf>; poster: Poster }> {
  const service = startProcess(environment)
  const door = doorOf(await service.url)
  return { service, door, poster: await signUpPoster(door) }
}

async function expectStop(service: Process): Promise<void> {
  const begin = performance.now()
  service.child.kill('SIGTERM')
  expect((await endOf(service)).code).toBe(0)
  expect(performance.now() - begin).toBeLessThan(patience(6_000))
}

function timesIn(text: string, part: string): number {
  return text.split(part).length - 1
}

function named(name: string): string {
  return join(directory.path, name)
}
