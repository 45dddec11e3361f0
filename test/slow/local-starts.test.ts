import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { childrenOf, commandOf, isRunning, serversOn } from '../support/local/machine.ts'
import { needing } from '../support/needs/needs.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import {
  doorOf,
  endOf,
  freePort,
  type Process,
  startProcess,
  temporaryDirectory,
} from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

describe('The start of a Postgres after it was killed', () => {
  let environment: { DATA_DIR: string; PORT: string }
  let service: Process
  let poster: Poster

  beforeEach(async () => {
    environment = { DATA_DIR: join(directory.path, crypto.randomUUID()), PORT: String(freePort()) }
    service = startProcess(environment)
    poster = await signUpPoster(doorOf(await service.url))
    expect((await poster.announce({ message: 'Kept' })).status).toBe(201)
    process.kill(server(), 'SIGKILL')
  })
  afterEach(async () => {
    service.child.kill('SIGTERM')
    await endOf(service)
  })

  test('is ended and repeated if it hangs', async () => {
    const startup = await halted()
    await expectRepeated(startup)
  })

  test('is ended and repeated if it hangs when the service starts, too, and Postgres hears no signal', async () => {
    service.child.kill('SIGKILL')
    await endOf(service)
    service = startProcess(environment)
    const startup = await halted()
    process.kill(server(), 'SIGSTOP')
    await expectRepeated(startup)
  })

  test('is repeated if Postgres is killed when the service starts', async () => {
    service.child.kill('SIGKILL')
    await endOf(service)
    service = startProcess(environment)
    const startup = await halted()
    for (const pid of [server(), startup]) process.kill(pid, 'SIGKILL')
    await expectKept()
    expect(service.output()).toMatch(/Postgres has ended \(.*(SIGKILL|signal 9).*\), and is started again/)
  })

  needing('strace').test('goes on for as long as it makes progress (slowed down by strace)', async () => {
    const startup = await halted()
    const before = server()
    // It syncs more than a thousand files.
    const slow = ['-e', 'trace=fsync', '-e', 'inject=fsync:delay_enter=40ms', '-o', '/dev/null']
    const strace = Bun.spawn(['strace', ...slow, '-p', String(startup)], { stderr: 'pipe' })
    // strace says when it is attached.
    await strace.stderr.getReader().read()
    process.kill(startup, 'SIGCONT')
    const begin = performance.now()
    await expectKept()
    expect(performance.now() - begin).toBeGreaterThan(45_000)
    expect(server()).toBe(before)
    expect(service.output()).not.toContain('does not answer')
    strace.kill()
  })

  function server(): number {
    return serversOn(environment.DATA_DIR)[0] ?? 0
  }

  /** The process of Postgres that recovers, which goes no further. */
  async function halted(): Promise<number> {
    let startup = 0
    await eventually('it starts', () => {
      const children = serversOn(environment.DATA_DIR).flatMap(childrenOf)
      startup = children.find((pid) => commandOf(pid).includes('postgres: startup')) ?? 0
      return startup > 0
    })
    process.kill(startup, 'SIGSTOP')
    return startup
  }

  async function expectRepeated(startup: number): Promise<void> {
    const hung = server()
    await expectKept()
    expect(service.output()).toContain('Postgres does not answer, and is ended')
    expect(service.output()).toContain('Postgres has ended (did not answer for 30 s), and is started again')
    expect([hung, startup].filter(isRunning)).toEqual([])
  }

  async function expectKept(): Promise<void> {
    const door = doorOf(`http://127.0.0.1:${environment.PORT}`)
    await eventually(
      'it serves',
      async () => {
        const response = await door.fetch(`/api/deployments?user=${poster.username}`).catch(() => null)
        return (await response?.text())?.includes('Kept') === true
      },
      240,
    )
  }
})
