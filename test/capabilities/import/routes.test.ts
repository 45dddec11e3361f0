import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { importLimits } from '../../../src/domain/imported.ts'
import { timestampOf } from '../../../src/domain/time.ts'
import {
  addImport,
  expectError,
  expectUnauthorized,
  invalid,
  postImport,
  release,
} from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { storedDeployments, userIdOf } from '../../support/deployments.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const db = service.db

const inSeconds = (seconds: number) => timestampOf(new Date(Date.now() + seconds * 1000))

type Listed = { id: number; message: string; deployed_at: string; imported?: boolean; page: string }

async function listed(address: string): Promise<readonly Listed[]> {
  const all: Listed[] = []
  for (let next: string | null = address; next !== null; ) {
    const response: Response = await service.fetch(next)
    expect(response.status).toBe(200)
    const page = (await response.json()) as { deployments: Listed[]; older: string | null }
    all.push(...page.deployments)
    next = page.older?.replace(/^https?:\/\/[^/]+/, '') ?? null
  }
  return all
}

const listOf = ({ username }: Poster) => listed(`/api/deployments?user=${username}&limit=2`)

function raw(token: string | null, body: string, type = 'application/x-ndjson'): Promise<Response> {
  return service.fetch('/api/history', {
    method: 'POST',
    headers: { 'Content-Type': type, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
    body,
  })
}

describe('History', () => {
  test('is added once, in the order of time, below what is announced, and carries "imported"', async () => {
    const ada = await signUpPoster(service)
    const items = [
      release(2, '2024-02-01T10:00:00+02:00'),
      release(1, '2019-12-31T23:59:59Z'),
      release(3, '2024-02-01T08:00:01.9Z'),
    ]
    expect(await addImport(service, ada, items)).toEqual({ added: 3, known: 0, refused: [] })
    const live = await ada.announced({ message: 'Live' })
    expect(await addImport(service, ada, items)).toEqual({ added: 0, known: 3, refused: [] })
    const list = await listOf(ada)
    expect(list.map(({ message }) => message)).toEqual(['Live', 'Release 3', 'Release 2', 'Release 1'])
    expect(list.map(({ imported }) => imported)).toEqual([undefined, true, true, true])
    expect(list.map(({ deployed_at }) => deployed_at).slice(1)).toEqual([
      '2024-02-01T08:00:01Z',
      '2024-02-01T08:00:00Z',
      '2019-12-31T23:59:59Z',
    ])
    expect(list[0]?.id).toBe(live)
  })

  test('is known by its key, else by version and target, else by commit', async () => {
    const ada = await signUpPoster(service)
    const at = { deployed_at: '2020-01-01T00:00:00Z' }
    const items = [
      { message: 'a', key: 'one', version: 'v1', ...at },
      { message: 'b', key: 'one', version: 'v2', ...at },
      { message: 'c', version: 'v1', url: 'https://github.com/ada/engine/releases/tag/v1', ...at },
      { message: 'd', version: 'v1', url: 'https://github.com/ada/engine', commit: 'abcdef1', ...at },
      { message: 'e', version: 'v1', url: 'https://github.com/ada/notes', ...at },
      { message: 'f', commit: 'ABCDEF1', ...at },
      { message: 'g', commit: 'abcdef1', ...at },
    ]
    expect(await addImport(service, ada, items)).toEqual({ added: 4, known: 3, refused: [] })
    expect((await listOf(ada)).map(({ message }) => message).toSorted()).toEqual(['a', 'c', 'e', 'f'])
    // Announcements have keys of their own.
    expect((await ada.announce({ message: 'Live' }, { 'Idempotency-Key': 'one' })).status).toBe(201)
    const grace = await signUpPoster(service)
    expect((await addImport(service, grace, items)).added).toBe(4)
  })

  test('of named projects and of packages is told apart, whatever the links are', async () => {
    const ada = await signUpPoster(service)
    const at = { deployed_at: '2020-01-01T00:00:00Z' }
    const mono = 'https://github.com/ada/mono'
    const told = { actor: 'grace', environment: 'production', environment_url: 'https://shop.example' }
    const items = [
      { message: 'a', version: 'v1', project: 'shop/cart', url: mono, ...told, ...at },
      { message: 'b', version: 'v1', project: 'shop/checkout', url: mono, ...at },
      { message: 'c', version: 'v1', project: 'Shop/Cart', ...at },
      { message: 'd', version: 'v1', url: mono, ...at },
      { message: 'e', version: '@ada/read@1.0.0', url: `${mono}/releases/tag/%40ada%2Fread%401.0.0`, ...at },
      { message: 'f', version: '@ada/read@1.0.0', url: `${mono}/commit/abcdef1`, ...at },
    ]
    expect(await addImport(service, ada, items)).toEqual({ added: 4, known: 2, refused: [] })
    const list = await listOf(ada)
    expect(list.map(({ message }) => message).toSorted()).toEqual(['a', 'b', 'd', 'e'])
    expect(list.find(({ message }) => message === 'a')).toMatchObject({ project: 'shop/cart', ...told })
    const bots = await addImport(service, ada, [{ message: 'g', version: 'v2', actor: 'a@b.example', ...at }])
    expect(Object.keys(bots.refused[0]?.details ?? {})).toEqual(['actor'])
  })

  test('that is not valid is refused item by item, and the rest is added', async () => {
    const ada = await signUpPoster(service)
    const at = '2020-01-01T00:00:00Z'
    const { added, refused } = await addImport(service, ada, [
      { message: '', key: 'a', deployed_at: at, status: 'failure' },
      release(1, at),
      'text' as unknown as object,
      { message: 'a', key: 'b' },
      { message: 'a', deployed_at: at },
      { message: 'a', key: 'x'.repeat(256), deployed_at: at },
      { message: `a ${ada.token}`, key: 'c', deployed_at: at },
      ...['2020-01-01', '2020-01-01T00:00:00', '2020-02-30T00:00:00Z', '1969-12-31T23:59:59Z'].map(
        (deployed_at, n) => ({ message: 'a', key: `t${n}`, deployed_at }),
      ),
    ])
    expect(added).toBe(1)
    expect(refused.map(({ index, details }) => [index, Object.keys(details).toSorted()])).toEqual([
      [0, ['message', 'status']],
      [2, ['item']],
      [3, ['deployed_at']],
      [4, ['key']],
      [5, ['key']],
      [6, ['message']],
      [7, ['deployed_at']],
      [8, ['deployed_at']],
      [9, ['deployed_at']],
      [10, ['deployed_at']],
    ])
  })

  test('that is one long text is refused as quickly as an item of its length', async () => {
    const ada = await signUpPoster(service)
    const long = 'a'.repeat(1_000_000)
    const costOf = async (item: unknown) => {
      const costs: number[] = []
      for (let time = 0; time < 3; time += 1) {
        const start = process.cpuUsage()
        expect((await addImport(service, ada, [item as object])).added).toBe(0)
        costs.push(process.cpuUsage(start).user)
      }
      return Math.min(...costs)
    }
    // The kernel counts in ticks, which may miss an item that costs little.
    const tickMicroseconds = 50_000
    expect(await costOf(long)).toBeLessThan(4 * Math.max(tickMicroseconds, await costOf({ message: long })))
  })

  test('lies before the first announcement and not in the future, to the instant', async () => {
    const ada = await signUpPoster(service)
    const future = await addImport(service, ada, [release(1, inSeconds(3_600)), release(2, inSeconds(-5))])
    expect(future.added).toBe(1)
    expect(future.refused[0]?.details.deployed_at?.[0]).toMatch(/^must not be in the future \(it is 2/)
    await ada.announced({ message: 'Live' })
    const instant = new Date('2024-05-05T12:00:00.500Z')
    await query(
      db,
      sql`
        update deployments set deployed_at = ${instant.toJSON()}
        where user_id = ${await userIdOf(db, ada)} and id > 0`,
    )
    const { added, refused } = await addImport(service, ada, [
      release(3, '2024-05-05T12:00:00.499Z'),
      release(4, '2024-05-05T12:00:00.500Z'),
    ])
    expect([added, refused.map(({ index }) => index)]).toEqual([1, [1]])
    expect(refused[0]?.details.deployed_at).toEqual([
      'must be before your first announcement here, at 2024-05-05T12:00:00Z',
    ])
    // What is known stays known.
    expect((await addImport(service, ada, [release(2, inSeconds(-5))])).known).toBe(1)
  })

  test('may come as lines, up to 1,000 items and 1 MiB', async () => {
    const ada = await signUpPoster(service)
    const lines = (count: number) =>
      Array.from({ length: count }, (_, n) => JSON.stringify(release(n, '2021-01-01T00:00:00Z')))
    const whole = await raw(ada.token, `\n${lines(importLimits.items).join('\r\n')}\n\n`)
    expect(await whole.json()).toEqual({ added: 1_000, known: 0, refused: [] })
    expect(await invalid(await raw(ada.token, lines(importLimits.items + 1).join('\n')))).toEqual({
      items: [expect.stringContaining('at most 1000')],
    })
    const padded = `[]${' '.repeat(importLimits.bytes - 2)}`
    expect((await raw(ada.token, padded, 'application/json')).status).toBe(200)
    await expectError(await raw(ada.token, `${padded} `, 'application/json'), 413, 'payload_too_large')
    await expectError(await raw(ada.token, '{"message":"a"}\n{'), 400, 'bad_request')
    const broken = await raw(ada.token, '[', 'application/json')
    expect(await broken.clone().text()).not.toContain('form')
    await expectError(broken, 400, 'bad_request')
    await expectError(await raw(ada.token, '[]', 'text/plain'), 415, 'unsupported_media_type')
    expect(await invalid(await raw(ada.token, '{}', 'application/json'))).toEqual({
      items: [expect.stringContaining('JSON array')],
    })
    const ids = (await storedDeployments(db, ada.username)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(1_000)
    // All of one second.
    expect(Math.max(...ids) - Math.min(...ids)).toBeLessThan(100_000)
  })

  test('needs a token, before anything else', async () => {
    await expectUnauthorized(await raw(null, 'x'))
    await expectUnauthorized(await raw(`ship_${'a'.repeat(36)}`, 'x'))
    await expectUnauthorized(await service.fetch('/api/history', { method: 'DELETE' }))
    expect((await service.fetch('/api/history')).headers.get('allow')).toBe('POST, DELETE')
  })
})

describe('A limit is exact, says what it is, and leaves what is known alone:', () => {
  const room = [release(1, '2020-01-01T00:00:00Z'), release(2, '2020-01-02T00:00:00Z')]

  test('20,000 of a user', async () => {
    const ada = await signUpPoster(service)
    const userId = await userIdOf(db, ada)
    await query(
      db,
      sql`
        insert into deployments (id, user_id, message, scopes, deployed_at)
        select -n - 250000000000000, ${userId}, 'old', '{""}', to_timestamp(0)
        from generate_series(1, ${importLimits.ofUser - 1}::int) n`,
    )
    expect(await invalid(await postImport(service, ada, room))).toEqual({
      items: [expect.stringContaining('20000')],
    })
    expect((await addImport(service, ada, room.slice(0, 1))).added).toBe(1)
    expect((await addImport(service, ada, room.slice(0, 1))).known).toBe(1)
    expect((await postImport(service, ada, room.slice(1))).status).toBe(422)
  })

  test('10,000 on a day', async () => {
    const ada = await signUpPoster(service)
    await addImport(service, ada, [release(0, '2019-01-01T00:00:00Z')])
    await query(
      db,
      sql`update history_days set added = ${importLimits.aDay - 1} where user_id = ${await userIdOf(db, ada)}`,
    )
    expect(await invalid(await postImport(service, ada, room))).toEqual({
      items: [expect.stringContaining('10000')],
    })
    expect((await addImport(service, ada, room.slice(0, 1))).added).toBe(1)
    expect((await postImport(service, ada, room.slice(1))).status).toBe(422)
    expect((await addImport(service, ada, room.slice(0, 1))).known).toBe(1)
    await query(db, sql`update history_days set day = day - 1 where user_id = ${await userIdOf(db, ada)}`)
    expect((await addImport(service, ada, room.slice(1))).added).toBe(1)
  })

  test('1,000 in a second, item by item', async () => {
    const ada = await signUpPoster(service)
    const at = '2018-01-01T00:00:00Z'
    const most = Array.from({ length: importLimits.aSecond }, (_, n) => release(n, at))
    expect(await addImport(service, ada, most)).toEqual({ added: 1_000, known: 0, refused: [] })
    const [next, other] = [release(1_000, at), release(1_001, '2018-01-01T00:00:01Z')]
    const crowded = { deployed_at: [expect.stringContaining('another second')] }
    expect(await addImport(service, ada, [...most.slice(2), next, other])).toEqual({
      added: 1,
      known: 998,
      refused: [{ index: 998, details: crowded }],
    })
    const grace = await signUpPoster(service)
    expect(await addImport(service, grace, [next, ...most.slice(1)])).toMatchObject({ added: 1_000 })
    expect(await addImport(service, grace, [most[0] ?? {}])).toMatchObject({ refused: [{ index: 0 }] })
  })

  test('and when two calls fill it up together, each says how much of it was recorded', async () => {
    const ada = await signUpPoster(service)
    const userId = await userIdOf(db, ada)
    await addImport(service, ada, [release(0, '2019-01-01T00:00:00Z')])
    await query(db, sql`update history_days set added = ${importLimits.aDay - 150} where user_id = ${userId}`)
    const calls = [0, 150].map((first) =>
      postImport(
        service,
        ada,
        Array.from({ length: 150 }, (_, n) => release(first + n + 1, '2020-01-01T00:00:00Z')),
      ),
    )
    const said = await Promise.all(calls.map(async (call) => recordedBy(await call)))
    const [{ count } = { count: 0 }] = await query<{ count: number }>(
      db,
      sql`select count(*)::int - 1 as count from deployments where user_id = ${userId}`,
    )
    expect(said.reduce((sum, each) => sum + each, 0)).toBe(count)
    expect(count).toBeWithin(100, 151)
  })
})

async function recordedBy(answer: Response): Promise<number> {
  if (answer.status === 200) return ((await answer.json()) as { added: number }).added
  expect(answer.status).toBe(422)
  const { message } = (await answer.json()) as { message: string }
  const [, recorded] = /^(?:Only (\d+) items were|Nothing was) recorded: /.exec(message) ?? [null, 'unknown']
  return Number(recorded ?? 0)
}

test('All of it is removed by one call, which leaves announcements alone', async () => {
  const ada = await signUpPoster(service)
  const items = Array.from({ length: 250 }, (_, n) => release(n, `20${10 + (n % 10)}-01-01T00:00:00Z`))
  await addImport(service, ada, items)
  const live = await ada.announced({ message: 'Live', url: 'https://github.com/ada/notes' })
  const removed = await service.fetch('/api/history', {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${ada.token}` },
  })
  expect(removed.status).toBe(204)
  expect((await listOf(ada)).map(({ id }) => id)).toEqual([live])
  expect((await service.fetch(`/${ada.username}/github.com/ada/engine`)).status).toBe(404)
  expect((await service.fetch(`/${ada.username}/github.com/ada/notes`)).status).toBe(200)
  expect((await addImport(service, ada, items)).added).toBe(250)
})
