import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../support/eventually.ts'
import { isRunning, postgresOf } from '../../support/local/machine.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import {
  doorOf,
  endOf,
  type Process,
  startCommand,
  startProcess,
  temporaryDirectory,
} from '../../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)
const dataDir = join(realpathSync(directory.path), 'data')

describe('A start finds what a former one has left:', () => {
  let poster: Poster
  let service: Process | null = null
  beforeAll(async () => {
    poster = await signUpPoster(doorOf(await start().url))
    expect((await poster.announce({ message: 'Kept' })).status).toBe(201)
  })
  afterAll(() => end('SIGKILL'))

  test('files of a killed Postgres whose process id another program has by now', async () => {
    const { pid, uid } = postgresOf(dataDir)
    await end('SIGKILL', pid)
    // Of the same user, or Postgres itself would see that it is another program.
    const as = process.getuid?.() === 0 ? ['setpriv', `--reuid=${uid}`, '--clear-groups'] : []
    const stranger = startCommand([...as, 'sleep', '100'], {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '' },
    })
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      const file = join(dataDir, 'postgres', name)
      writeFileSync(file, readFileSync(file, 'utf8').replace(String(pid), String(stranger.child.pid)))
    }
    await expectKept()
    expect(isRunning(stranger.child.pid)).toBe(true)
    stranger.child.kill()
  })

  test('a Postgres that goes on, also if it is named by another path', async () => {
    const before = postgresOf(dataDir).pid
    // As on a system that has no signal for the death of a parent.
    process.kill(before, 'SIGSTOP')
    await end('SIGKILL')
    const link = join(directory.path, 'link')
    symlinkSync(dataDir, link)
    service = startProcess({ DATA_DIR: link })
    await eventually(
      'it waits',
      () => service?.output().includes('Waiting for the Postgres of a former') === true,
    )
    process.kill(before, 'SIGCONT')
    await expectKept(service)
    expect(isRunning(before)).toBe(false)
  })

  test.each<[string, (file: string) => void]>([
    ['no password', rmSync],
    ['a part of a password', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 7))],
    ['an empty file for the password', (file) => writeFileSync(file, '')],
  ])('%s', async (_, damage) => {
    await end('SIGTERM')
    damage(join(dataDir, 'postgres/shipfeed-password'))
    await expectKept()
    const users = await endOf(startProcess({ DATA_DIR: dataDir }, 'src/main.ts', 'users'))
    expect(users).toEqual({ code: 0, output: expect.stringContaining(poster.username) })
  })

  test('a copy of the folder of a database, without what is beside it', async () => {
    await end('SIGTERM')
    const copy = join(directory.path, 'copy')
    mkdirSync(copy)
    expect(Bun.spawnSync(['cp', '-a', join(dataDir, 'postgres'), copy]).exitCode).toBe(0)
    await expectKept(startProcess({ DATA_DIR: copy }))
  })

  function start(): Process {
    service = startProcess({ DATA_DIR: dataDir })
    return service
  }

  async function end(signal: NodeJS.Signals, ...others: number[]): Promise<void> {
    for (const pid of others) process.kill(pid, signal)
    service?.child.kill(signal)
    if (service !== null) await endOf(service)
    service = null
  }

  async function expectKept(started: Process = start()): Promise<void> {
    service = started
    const door = doorOf(await started.url)
    const response = await door.fetch(`/api/deployments?user=${poster.username}`)
    expect(await response.json()).toMatchObject({ deployments: [{ message: 'Kept' }] })
  }
})
