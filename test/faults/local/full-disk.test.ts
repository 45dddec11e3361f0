import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../support/eventually.ts'
import { signUpPoster } from '../../support/people.ts'
import { doorOf, endOf, type Process, startProcess, temporaryDirectory } from '../../support/process.ts'

const directory = temporaryDirectory()
const disk = join(directory.path, 'disk')
mkdirSync(disk)
const isMounted =
  process.getuid?.() === 0 &&
  Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', disk]).exitCode === 0
let service: Process | null = null
afterAll(async () => {
  service?.child.kill('SIGKILL')
  await service?.child.exited
  // Its Postgres ends a moment later.
  await Bun.sleep(1_000)
  if (isMounted) Bun.spawnSync(['umount', disk])
  directory.remove()
})

test.skipIf(!isMounted)(
  'When its disk is full, announcements, imports, dumps and backups are refused, the rest goes on, and space heals all (needs root, to mount a tmpfs)',
  async () => {
    const dataDir = join(disk, 'data')
    service = startProcess({ DATA_DIR: dataDir, BACKUP_EVERY: '1m' })
    const door = doorOf(await service.url)
    const poster = await signUpPoster(door)
    const acknowledged: string[] = []
    let isOver = false
    let refused = 0
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !isOver; n += 1) {
        const message = `No. ${n} of ${writer}`
        const { status } = await poster.announce({ message })
        if (status === 201) acknowledged.push(message)
        else refused += 1
        expect([201, 503]).toContain(status)
        if (status === 503) await Bun.sleep(50)
      }
    })
    await eventually('some are acknowledged', () => acknowledged.length > 20)
    // Nearly full in the middle of the load, then to the last byte.
    const { bavail, bsize } = statfsSync(disk)
    await Bun.write(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - 30e6)))
    await eventually('they are refused', () => refused > 10)
    const rest = statfsSync(disk)
    await Bun.write(join(disk, 'more'), Buffer.alloc(rest.bavail * rest.bsize)).catch(() => {})
    const badge = await door.fetch(`/badge/${poster.username}.json`)
    expect(await badge.json()).toMatchObject({ message: 'Fresh' })
    expect((await door.fetch(`/${poster.username}`)).status).toBe(200)
    expect((await door.fetch('/readyz')).status).toBe(200)
    const answer = await poster.announce({ message: 'Too much' })
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, expect.any(String)])
    const dump = await endOf(
      startProcess({ DATA_DIR: dataDir }, 'src/main.ts', 'dump', join(directory.path, 'd')),
    )
    expect(dump).toMatchObject({ code: 1, output: expect.stringContaining('less than 64 MiB are free') })
    expect(service.output()).toContain('"event":"disk_full"')

    rmSync(join(disk, 'ballast'))
    rmSync(join(disk, 'more'))
    const before = acknowledged.length
    await eventually('they are accepted again', () => acknowledged.length > before + 20)
    isOver = true
    await Promise.all(writers)
    expect(service.output()).toContain('"event":"disk_freed"')
    const stored = await everyMessage(door, poster.username)
    expect(acknowledged.filter((message) => !stored.has(message))).toEqual([])
    service.child.kill('SIGTERM')
    expect((await endOf(service)).code).toBe(0)
  },
)

async function everyMessage(door: ReturnType<typeof doorOf>, username: string): Promise<Set<string>> {
  type List = { deployments: { message: string }[]; older: string | null }
  const messages = new Set<string>()
  for (let path: string | null = `/api/deployments?user=${username}&limit=100`; path !== null; ) {
    const { deployments, older } = (await (await door.fetch(path)).json()) as List
    for (const { message } of deployments) messages.add(message)
    path = older === null ? null : older.slice(older.indexOf('/api/'))
  }
  return messages
}
