import { afterAll, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { json, post } from '../support/api.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { untilReady } from '../support/eventually.ts'
import { openEventSource } from '../support/live/event-source.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { doorOf, type Process, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

test('A service moves to Postgres and back: pages, badges, tokens and sessions are the same, and nobody misses anything', async () => {
  const { url, drop } = await createPostgresDatabase()
  const first = { DATA_DIR: join(directory.path, 'first') }
  const second = { DATA_DIR: join(directory.path, 'second') }
  mkdirSync(second.DATA_DIR)
  let file = join(directory.path, 'first.dump')
  let service = startProcess(first)
  let door = doorOf(await service.url)
  const ada = await signUpPoster(door, { username: 'ada', name: 'Ada 🚀' })
  const grace = await signUpPoster(door, { username: 'grace' })
  const ids: number[] = []
  for (let n = 0; n < 30; n += 1) {
    const link = `https://github.com/ada/engine/pull/${n}`
    const poster = n % 3 === 0 ? grace : ada
    ids.push((await announce(door, poster, { message: `No. ${n}\n"é" \\ <b>`, url: link })).id)
  }
  const [withdrawn] = ids
  await grace.send(`/grace/${withdrawn}/delete`, {})
  const key = { 'Idempotency-Key': 'once' }
  const keyed = await announce(door, ada, { message: 'With a key' }, key)
  ids.push(keyed.id)

  // While posts go on.
  const dumping = dump(first, file)
  while (await isUnderWay(dumping)) ids.push((await announce(door, ada, { message: 'Amid a dump' })).id)
  expect(await dumping).toEqual({ code: 0, said: '' })
  expect(await dump(first, file)).toEqual({ code: 0, said: '' })
  let seen = await look(door, ada)
  expect(await restore(first, file)).toMatchObject({
    code: 1,
    said: expect.stringContaining('is not empty'),
  })
  await end(service)

  for (const target of [{ DATABASE_URL: url }, second]) {
    const restored = await restore(target, file)
    expect(restored).toEqual({
      code: 0,
      said: expect.stringContaining(`Restored 2 users and ${ids.length - 1} `),
    })
    service = startProcess(target)
    door = doorOf(await service.url)
    await untilReady(door)
    expect(await look(door, ada)).toEqual(seen)
    // A retry, after the move, of what was posted before it.
    expect(await announce(door, ada, { message: 'With a key' }, key)).toEqual({
      ...keyed,
      replayed: 'true',
    })
    const { id } = await announce(door, ada, { message: 'Posted there' })
    expect(id).toBeGreaterThan(Math.max(...ids))
    ids.push(id)
    // Fewer events than a returning reader is sent.
    const [lastSeen = 0, ...missed] = ids.slice(-50)
    expect(await idsAfter(door, lastSeen, id)).toEqual(missed)
    seen = await look(door, ada)
    file = join(directory.path, 'next.dump')
    expect(await dump(target, file)).toEqual({ code: 0, said: '' })
    await end(service)
    expect(await restore(target, file)).toMatchObject({
      code: 1,
      said: expect.stringContaining('is not empty'),
    })
  }
  await drop()
})

type Door = ReturnType<typeof doorOf>
type Ended = { code: number; said: string }

/** Runs a command with these variables, and gives what it said on its standard error output. */
async function command(
  name: string,
  environment: Record<string, string>,
  files: { stdin?: string; stdout?: string },
): Promise<Ended> {
  const child = Bun.spawn([process.execPath, 'src/main.ts', name], {
    cwd: join(import.meta.dir, '../..'),
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdin: files.stdin === undefined ? 'ignore' : Bun.file(files.stdin),
    stdout: files.stdout === undefined ? 'ignore' : Bun.file(files.stdout),
    stderr: 'pipe',
    timeout: 240_000,
  })
  const said = await child.stderr.text()
  return { code: await child.exited, said }
}

function dump(environment: Record<string, string>, file: string): Promise<Ended> {
  return command('dump', environment, { stdout: file })
}

function restore(environment: Record<string, string>, file: string): Promise<Ended> {
  return command('restore', environment, { stdin: file })
}

async function isUnderWay(work: Promise<unknown>): Promise<boolean> {
  return await Promise.race([work.then(() => false), Bun.sleep(0).then(() => true)])
}

/** The ids of the events that a watcher who has seen all up to `seen` gets, until `last` comes. */
async function idsAfter(door: Door, seen: number, last: number): Promise<number[]> {
  const source = await openEventSource(door, '/feed/live', { 'Last-Event-ID': String(seen) })
  await source.find(({ id }) => id === String(last))
  source.close()
  // A message without data only says how far the stream has come.
  return source.messages.filter(({ id, data }) => id !== null && data !== null).map(({ id }) => Number(id))
}

async function end({ child }: Process): Promise<void> {
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
}

async function announce(
  door: Door,
  { token }: Poster,
  fields: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<{ status: number; id: number; replayed: string | null }> {
  const response = await post(door, token, json(fields), headers)
  const { id } = (await response.json()) as { id: number }
  return { status: response.status, id, replayed: response.headers.get('idempotent-replayed') }
}

/** What people see: pages (without the words for ages), badges, and whether they are still signed in. */
async function look(door: Door, { cookie }: Poster): Promise<Record<string, unknown>> {
  const text = async (path: string, headers: Record<string, string> = {}) =>
    (await (await door.fetch(path, { headers })).text())
      .replaceAll(/data-now="\S+"/g, '')
      // The pulse is counted every two seconds.
      .replace(/<aside id="pulse".*?<\/aside>/s, '')
      .replaceAll(/(<time class="age[^>]*>).*?(?=<\/time>)/g, '$1')
      .replaceAll(/just now|\d+ (minute|second)s? ago/g, 'ago')
  const settings = await text('/settings', { Cookie: cookie })
  return {
    feed: await text('/'),
    older: await text('/?before=20'),
    profile: await text('/ada'),
    deployment: await text('/ada/2'),
    withdrawn: (await door.fetch('/grace/1')).status,
    badge: await text('/badge/ada.svg'),
    filtered: await text('/badge/grace.json?url=github.com/ada/engine'),
    signedIn: /Ada 🚀/.test(settings) && /Sign out/.test(settings),
  }
}
