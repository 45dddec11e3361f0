import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { needing } from '../support/needs/needs.ts'
import { signUpPoster } from '../support/people.ts'
import {
  doorOf,
  endOf,
  freePort,
  placeOf,
  startCommand,
  startProcess,
  temporaryDirectory,
} from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

describe('A first start', () => {
  needing('strace').test('answers while it makes the database, and then with it', async () => {
    const port = freePort()
    // Only Postgres asks for this kind of memory: it waits until strace is killed.
    const heldUp = ['-D', '-f', '-e', 'inject=shmget:delay_enter=120s:when=1', '-o', '/dev/null']
    const service = startCommand(['strace', ...heldUp, process.execPath, 'src/main.ts'], {
      ...placeOf({ PORT: String(port), DATA_DIR: named('held') }),
    })
    const door = doorOf(`http://127.0.0.1:${port}`)
    await eventually('it listens', () =>
      door
        .fetch('/healthz')
        .then(({ ok }) => ok)
        .catch(() => false),
    )

    const ready = await door.fetch('/readyz')
    expect([ready.status, await ready.text()]).toEqual([503, 'not ready: database\n'])
    const page = await door.fetch('/ada')
    expect([page.status, page.headers.get('Retry-After'), page.headers.get('Refresh')]).toEqual([
      503,
      '2',
      '5',
    ])
    expect(await page.text()).toContain('<h1>Back in a moment</h1>')
    const list = await door.fetch('/api/deployments')
    expect([list.status, list.headers.get('Retry-After')]).toEqual([503, '2'])
    expect(await list.json()).toMatchObject({ error: 'unavailable' })
    const badge = await door.fetch('/badge/ada.svg')
    expect([badge.status, badge.headers.get('X-Shipfeed-Status')]).toEqual([200, 'unavailable'])

    const [, strace] = /^TracerPid:\t(\d+)$/m.exec(statusOf(service.child)) ?? []
    process.kill(Number(strace), 'SIGKILL')
    await service.url
    expect((await door.fetch('/readyz')).status).toBe(200)
    expect((await door.fetch('/ada')).status).toBe(404)
    await signUpPoster(door)
    service.child.kill('SIGTERM')
    await endOf(service)
  })

  test('that is killed at any instant is made up for by the next one', async () => {
    const dataDir = named('killed')
    for (const afterMs of [150, 350, 600, 900, 1_300]) {
      const killed = startProcess({ DATA_DIR: dataDir })
      await Bun.sleep(afterMs)
      killed.child.kill('SIGKILL')
      await endOf(killed)
    }
    const service = startProcess({ DATA_DIR: dataDir })
    const poster = await signUpPoster(doorOf(await service.url))
    expect((await poster.announce({ message: 'Whole' })).status).toBe(201)
    service.child.kill('SIGTERM')
    expect((await endOf(service)).code).toBe(0)
  })

  test('ends at a terminal with an address to open, and takes less than 400 MB of memory', async () => {
    let output = ''
    const child = Bun.spawn([process.execPath, 'src/main.ts'], {
      ...placeOf({ DATA_DIR: named('seen') }),
      terminal: {
        data(_, bytes) {
          output += Buffer.from(bytes).toString()
        },
      },
    })
    await eventually('it invites', () => output.includes('Open '))
    expect(output.trimEnd().split('\r\n').at(-1)).toBe('Open http://shipfeed.test')
    await fetch(`http://${/127\.0\.0\.1:\d+/.exec(output)}`)
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(statusOf(child)) ?? []
    expect(Number(kilobytes) / 1_024).toBeLessThan(400)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })
})

/** What the kernel says of a process. */
function statusOf({ pid }: Bun.Subprocess): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8')
}

function named(name: string): string {
  return join(directory.path, name)
}
