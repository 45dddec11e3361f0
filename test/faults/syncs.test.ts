import { afterAll, expect } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { needing } from '../support/needs/needs.ts'
import { signUpPoster } from '../support/people.ts'
import { doorOf, endOf, startCommand, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)
const announcements = 40
const { test } = needing('strace')

test('Each announcement that the embedded database acknowledges was synced to the disk (counted by strace)', async () => {
  const trace = join(directory.path, 'trace')
  const service = startProcess({ DATA_DIR: join(directory.path, 'data') })
  const door = doorOf(await service.url)
  const poster = await signUpPoster(door)
  const strace = Bun.spawn(
    ['strace', '-f', '-e', 'trace=fdatasync', '-o', trace, '-p', String(service.child.pid)],
    { stdout: 'ignore', stderr: 'pipe' },
  )
  // strace says when it is attached.
  await strace.stderr.getReader().read()
  const before = syncsIn(trace)
  for (let n = 0; n < announcements; n += 1) {
    expect((await poster.announce({ message: `No. ${n}` })).status).toBe(201)
    expect(syncsIn(trace) - before).toBeGreaterThan(n)
  }
  service.child.kill('SIGKILL')
  await Promise.all([service.child.exited, strace.exited])
})

test('A new database is in its place only when every file and folder of it was synced (seen by strace)', async () => {
  const trace = join(directory.path, 'trace-of-making')
  const dataDir = join(directory.path, 'made')
  const killedAtRename = ['-D', '-f', '-y', '-e', 'trace=fsync,rename', '-e', 'inject=rename:signal=SIGKILL']
  const service = startCommand(['strace', ...killedAtRename, '-o', trace, process.execPath, 'src/main.ts'], {
    cwd: join(import.meta.dir, '../..'),
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir },
  })
  await endOf(service)
  const unfinished = join(dataDir, 'postgres.new')
  const made = readdirSync(unfinished, { recursive: true }).map((name) => join(unfinished, String(name)))
  expect(made.length).toBeGreaterThan(300)
  const synced = readFileSync(trace, 'utf8').matchAll(/fsync\(\d+<([^>]+)>/g)
  const paths = new Set([...synced].map(([, path]) => path))
  expect([unfinished, ...made].filter((path) => !paths.has(path))).toEqual([])
})

function syncsIn(trace: string): number {
  return readFileSync(trace, 'utf8').match(/fdatasync.*= 0$/gm)?.length ?? 0
}
