import { afterAll, expect } from 'bun:test'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { needing } from '../support/needs/needs.ts'
import { signUpPoster } from '../support/people.ts'
import { doorOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)
const announcements = 40
const { test } = needing('strace')

test('Each announcement that the local database acknowledges was synced to the disk (counted by strace)', async () => {
  const trace = join(directory.path, 'trace')
  const service = startProcess({ DATA_DIR: join(directory.path, 'data') })
  const door = doorOf(await service.url)
  const poster = await signUpPoster(door)
  const postgres = readFileSync(join(directory.path, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[0]
  const strace = Bun.spawn(
    ['strace', '-f', '-e', 'trace=fdatasync', '-o', trace, ...(await processesOf(Number(postgres)))],
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
  const path = join(directory.path, 'postgres')
  chmodSync(directory.path, 0o711)
  const making = join(import.meta.dir, '../support/postgres/make-database.ts')
  const strace = Bun.spawn(
    ['strace', '-f', '-y', '-e', 'trace=fsync,rename', '-o', trace, process.execPath, making, path],
    { stdout: 'ignore', stderr: 'inherit' },
  )
  expect(await strace.exited).toBe(0)
  const [before = '', after] = readFileSync(trace, 'utf8').split(`, "${path}")`)
  expect(after).toContain(`<${directory.path}>`)
  const synced = [...before.matchAll(/fsync\(\d+<([^>]+)>/g)].map(([, name = '']) =>
    name.replace(/^(.*\/postgres)\.new-[^/]*/, '$1'),
  )
  const made = readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))
  expect(made.length).toBeGreaterThan(300)
  expect([path, ...made].filter((name) => !synced.includes(name))).toEqual([])
})

/** A server and the processes of its connections, which were started before anybody traced it. */
async function processesOf(pid: number): Promise<string[]> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return [String(pid), ...children].flatMap((each) => ['-p', each])
}

function syncsIn(trace: string): number {
  return readFileSync(trace, 'utf8').match(/fdatasync.*= 0$/gm)?.length ?? 0
}
