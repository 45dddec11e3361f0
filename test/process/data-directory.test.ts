import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { form, post } from '../support/api.ts'
import { openLocalDatabase } from '../support/database.ts'
import { patience } from '../support/eventually.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { doorOf, endOf, linesOf, type Process, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

describe('The local database', () => {
  const dataDir = join(directory.path, 'data')
  const start = () => startProcess({ DATA_DIR: dataDir })
  let first: Process
  beforeAll(() => {
    first = start()
  })

  test('is refused to a second process at once, in one line, and not touched by it', async () => {
    await first.url
    const before = statSync(join(dataDir, 'postgres/postmaster.pid')).mtimeMs
    const begin = performance.now()
    const { code, output } = await endOf(start())
    expect(performance.now() - begin).toBeLessThan(patience(5_000))
    expect(code).toBe(1)
    expect(output).toBe(
      `Shipfeed cannot start: ${dataDir} is in use by another process: stop it, or set another DATA_DIR\n`,
    )
    expect(statSync(join(dataDir, 'postgres/postmaster.pid')).mtimeMs).toBe(before)
    expect((await fetch(`${await first.url}/readyz`)).status).toBe(200)
  })

  test('is free again after kill -9, and holds all that was acknowledged, twice in a row', async () => {
    const acknowledged = new Map<string, number>()
    const sent = new Set<string>()
    let poster: Poster | null = null
    for (let round = 0; round < 2; round += 1) {
      const service = round === 0 ? first : start()
      const door = doorOf(await service.url)
      poster = poster === null ? await signUpPoster(door) : poster
      const { token } = poster
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let n = 0; ; n += 1) {
          const key = `${round}:${writer}:${n}`
          sent.add(key)
          const response = await post(door, token, form({ message: key }), { 'Idempotency-Key': key }).catch(
            () => null,
          )
          if (response === null) return
          const { id } = (await response.json()) as { id: number }
          // A call that is refused because the machine is slow is not acknowledged.
          if (response.status === 201) acknowledged.set(key, id)
          else expect(response.status).toBe(503)
        }
      })
      // So the kill comes while it writes, however slow the machine is.
      while (acknowledged.size < 10 * (round + 1)) await Bun.sleep(5)
      await kill(service)
      await Promise.all(writers)
    }
    const last = start()
    const stored = await everyMessage(doorOf(await last.url), poster?.username ?? '')
    await kill(last)

    expect(acknowledged.size).toBeGreaterThanOrEqual(20)
    for (const [key, id] of acknowledged) expect(stored.get(key)).toEqual([id])
    for (const [key, ids] of stored) {
      expect(sent).toContain(key)
      expect(ids).toHaveLength(1)
    }
  })
})

describe('A data directory that is', () => {
  const whole = join(directory.path, 'whole')
  beforeAll(async () => {
    await (await openLocalDatabase(whole)).close()
  })

  test.each<[string, string, (postgres: string) => void]>([
    ['without PG_VERSION', 'no valid PG_VERSION', (path) => rmSync(join(path, 'PG_VERSION'))],
    ['with an empty PG_VERSION', 'no valid PG_VERSION', (path) => truncateSync(join(path, 'PG_VERSION'), 0)],
    [
      'of another version',
      'was made by Postgres 17',
      (path) => writeFileSync(join(path, 'PG_VERSION'), '17\n'),
    ],
    ['without its log', 'cannot be opened', (path) => rmSync(join(path, 'pg_wal'), { recursive: true })],
    ['cut short', 'cannot be opened', (path) => truncateSync(join(path, 'global/pg_control'), 0)],
  ])('%s is refused in one line and left as it is', async (name, reason, damage) => {
    const path = join(directory.path, name)
    cpSync(whole, path, { recursive: true })
    damage(join(path, 'postgres'))
    const before = contentsOf(join(path, 'postgres'))
    const { code, output } = await endOf(startProcess({ DATA_DIR: path }))
    const [refusal = '', ...more] = linesOf(output).others
    expect(more).toEqual([])
    expect(refusal).toStartWith('Shipfeed cannot start: ')
    expect(refusal).toContain(join(path, 'postgres'))
    expect(refusal).toContain(reason)
    expect(code).toBe(1)
    expect(contentsOf(join(path, 'postgres'))).toMatchObject(before)
  })

  test.each([
    ['with an older lock that all may read', (lock: string) => chmodSync(lock, 0o666)],
    ['without a lock', (lock: string) => rmSync(lock)],
  ])(
    'there already, %s, keeps its mode, and only what we make in it is closed to others',
    async (_, prepare) => {
      const path = join(directory.path, `shared ${_}`)
      cpSync(whole, path, { recursive: true })
      chmodSync(path, 0o755)
      chmodSync(join(path, 'postgres'), 0o755)
      prepare(join(path, 'lock'))
      const service = startProcess({ DATA_DIR: path })
      await service.url
      const ours = ['.', 'postgres', 'postgres/shipfeed-password', 'lock'].map((name) => join(path, name))
      const modes = ours.map((name) => statSync(name).mode & 0o777)
      await kill(service)
      expect(modes).toEqual([0o755, 0o700, 0o600, 0o600])
    },
  )
})

async function kill({ child }: Process): Promise<void> {
  child.kill('SIGKILL')
  await child.exited
}

/** Every message of a user with its ids, read page by page. */
async function everyMessage(
  door: ReturnType<typeof doorOf>,
  username: string,
): Promise<Map<string, number[]>> {
  type List = { deployments: { id: number; message: string }[]; older: string | null }
  const messages = new Map<string, number[]>()
  for (let path: string | null = `/api/deployments?user=${username}`; path !== null; ) {
    const { deployments, older } = (await (await door.fetch(path)).json()) as List
    for (const { id, message } of deployments) messages.set(message, [...(messages.get(message) ?? []), id])
    path = older === null ? null : older.slice(older.indexOf('/api/'))
  }
  return messages
}

/** The content and mode of every file, so that nothing can change unseen. */
function contentsOf(path: string): Record<string, string> {
  const all = readdirSync(path, { recursive: true, withFileTypes: true })
  // Postgres notes how it was started.
  const files = all.filter(({ name }) => name !== 'postmaster.opts')
  return Object.fromEntries(
    files.map((file) => {
      const name = join(file.parentPath, file.name)
      const content = file.isFile() ? Bun.hash(readFileSync(name)).toString(36) : ''
      return [name, `${statSync(name).mode} ${content}`]
    }),
  )
}
