import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signUpPoster } from '../support/people.ts'
import { doorOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)
const announcements = 40

test('Each announcement that the embedded database acknowledges was synced to the disk (counted by strace)', async () => {
  const trace = join(directory.path, 'trace')
  const service = startProcess({ DATA_DIR: join(directory.path, 'data') })
  const door = doorOf(await service.url)
  const poster = await signUpPoster(door)
  const strace = Bun.spawn(
    ['strace', '-f', '-e', 'trace=fdatasync', '-o', trace, '-p', String(service.child.pid)],
    { stdout: 'ignore', stderr: 'pipe' },
  )
  // It says when it is attached.
  await strace.stderr.getReader().read()
  const before = syncsIn(trace)
  for (let n = 0; n < announcements; n += 1) {
    expect((await poster.announce({ message: `No. ${n}` })).status).toBe(201)
    expect(syncsIn(trace) - before).toBeGreaterThan(n)
  }
  service.child.kill('SIGKILL')
  await Promise.all([service.child.exited, strace.exited])
}, 60_000)

function syncsIn(trace: string): number {
  return readFileSync(trace, 'utf8').match(/fdatasync.*= 0$/gm)?.length ?? 0
}
