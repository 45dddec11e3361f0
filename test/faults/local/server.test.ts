import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, untilReady } from '../../support/eventually.ts'
import { childrenOf, isRunning, postgresOf } from '../../support/local/machine.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { doorOf, endOf, type Process, startProcess, temporaryDirectory } from '../../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)
const dataDir = join(directory.path, 'data')

describe('The Postgres of a service', () => {
  let service: Process
  let door: ReturnType<typeof doorOf>
  let poster: Poster

  beforeAll(async () => {
    service = startProcess({ DATA_DIR: dataDir })
    door = doorOf(await service.url)
    poster = await signUpPoster(door)
  })
  afterAll(async () => {
    service.child.kill('SIGTERM')
    await endOf(service)
  })

  test('is reached by nobody else: not by TCP, and not without its password', async () => {
    const command = readFileSync(`/proc/${postgresOf(dataDir).pid}/cmdline`, 'utf8').split('\0')
    expect(command).toContain('listen_addresses=')
    const password = readFileSync(join(dataDir, 'postgres/shipfeed-password'), 'utf8')
    expect(command.join(' ')).not.toContain(password)
    expect(service.output()).not.toContain(password)
    const hba = readFileSync(join(dataDir, 'postgres/pg_hba.conf'), 'utf8')
    expect(hba).toBe('local shipfeed shipfeed scram-sha-256\n')
  })

  test('is started again when it was killed, and what was acknowledged is there', async () => {
    const before = postgresOf(dataDir).pid
    expect((await poster.announce({ message: 'Before the kill' })).status).toBe(201)
    process.kill(before, 'SIGKILL')
    await eventually('another one runs', () => isOther(before))
    await untilReady(door)
    expect(await newest()).toBe('Before the kill')
    expect((await poster.announce({ message: 'After the kill' })).status).toBe(201)
    expect(service.output()).toContain('Postgres has ended (killed by SIGKILL), and is started again')
  })

  test('is replaced when it hangs: meanwhile, badges and probes answer', async () => {
    const before = postgresOf(dataDir).pid
    for (const pid of [before, ...childrenOf(before)]) process.kill(pid, 'SIGSTOP')
    const [badge, alive, announced] = await Promise.all([
      door.fetch(`/badge/${poster.username}.svg`),
      door.fetch('/healthz'),
      poster.announce({ message: 'Into the void' }),
    ])
    expect(badge.headers.get('X-Shipfeed-Status')).toBe('unavailable')
    expect([alive.status, announced.status]).toEqual([200, 503])
    await eventually('another one runs', () => isOther(before))
    await untilReady(door)
    expect((await poster.announce({ message: 'After it hung' })).status).toBe(201)
    expect(await newest()).toBe('After it hung')
    expect(service.output()).toContain('Postgres does not answer, and is ended')
    // 30 s if it hung before it was seen to answer after its start.
    expect(service.output()).toMatch(
      /Postgres has ended \(did not answer for (?:5|30) s\), and is started again/,
    )
  })

  test('ends with the service, also if that is killed, and the next start goes on', async () => {
    const before = postgresOf(dataDir).pid
    service.child.kill('SIGKILL')
    await eventually('it has ended', () => !isRunning(before))
    service = startProcess({ DATA_DIR: dataDir })
    door = doorOf(await service.url)
    await untilReady(door)
    expect(await newest()).toBe('After it hung')
  })

  test('that outlived its service is ended by the next start, which never runs a second one beside it', async () => {
    const before = postgresOf(dataDir).pid
    // As on a system that has no signal for the death of a parent.
    process.kill(before, 'SIGSTOP')
    service.child.kill('SIGKILL')
    await endOf(service)
    service = startProcess({ DATA_DIR: dataDir })
    await Bun.sleep(500)
    process.kill(before, 'SIGCONT')
    door = doorOf(await service.url)
    await untilReady(door)
    expect(isRunning(before)).toBe(false)
    expect(await newest()).toBe('After it hung')
  })

  async function newest(): Promise<string> {
    const response = await door.fetch(`/api/deployments?user=${poster.username}&limit=1`)
    const { deployments } = (await response.json()) as { deployments: { message: string }[] }
    return deployments[0]?.message ?? ''
  }
})

function isOther(than: number): boolean {
  try {
    return postgresOf(dataDir).pid !== than
  } catch {
    return false
  }
}
