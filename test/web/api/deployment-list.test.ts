import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { created, expectError } from '../../support/api.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { inParallel } from '../../support/parallel.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

type Listed = Readonly<Record<string, unknown>> & { readonly id: number }
type List = { readonly deployments: readonly Listed[]; readonly older: string | null }

const service = await useService()
const poster = await signUpPoster(service)
const user = `user=${poster.username}`

async function list(address: string): Promise<{ response: Response; list: List }> {
  const response = await service.fetch(address.replace('http://shipfeed.test', ''))
  expect(response.status).toBe(200)
  return { response, list: (await response.json()) as List }
}

test('lists what POST /api has answered, for pages anywhere', async () => {
  const message = 'fix: \u0007 "quotes" 🎉\r\nand lines'
  const record = await created(
    await poster.announce({ message, url: 'https://github.com/ada/engine/pull/1' }),
  )
  const { response, list: found } = await list(`/api/deployments?${user}`)
  expect(found.deployments[0]).toEqual(record)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test('its pages hold every deployment once, while more are announced', async () => {
  const before = await inParallel(Array.from({ length: 45 }), 8, async () =>
    created(await poster.announce({ message: 'One of many' })),
  )
  const seen: number[] = []
  for (let address: string | null = `/api/deployments?${user}&limit=20`; address !== null; ) {
    const { response, list: page } = await list(address)
    expect(page.deployments.length).toBeLessThanOrEqual(20)
    seen.push(...page.deployments.map(({ id }) => id))
    const link = page.older === null ? null : `<${page.older}>; rel="next"`
    expect(response.headers.get('link')).toBe(link)
    await poster.announce({ message: 'During the walk' })
    address = page.older
  }
  expect(seen).toEqual(seen.toSorted((a, b) => b - a))
  expect(new Set(seen).size).toBe(seen.length)
  expect(before.filter(({ id }) => !seen.includes(id))).toEqual([])
})

test('?category= and ?target= choose among them', async () => {
  const feature = await created(
    await poster.announce({ message: 'feat: x', url: 'https://ci.example.org/ada/tool/-/jobs/7' }),
  )
  for (const query of [
    'category=feature',
    'target=example.org',
    'target=https://ci.example.org/ada/tool/tree/x',
  ]) {
    const { list: found } = await list(`/api/deployments?${user}&${query}`)
    expect(found.deployments.map(({ id }) => id)).toEqual([feature.id])
    expect(found.older).toBeNull()
  }
})

describe('?limit=', () => {
  test.each([
    ['1', 1],
    ['', 25],
    ['100', 46],
  ])('%p is a page of at most that many', async (limit, least) => {
    const { list: found } = await list(`/api/deployments?${user}&limit=${limit}`)
    expect(found.deployments.length).toBeGreaterThanOrEqual(least)
    expect(found.deployments.length).toBeLessThanOrEqual(Number(limit || 25))
  })

  test.each(['0', '101', '-1', '1.5', 'ten'])('%p is refused', async (limit) => {
    await expectError(await service.fetch(`/api/deployments?limit=${limit}`), 400, 'bad_request')
  })
})

test.each([
  ['user=nobody-at-all', 404, 'not_found'],
  ['category=chore', 400, 'bad_request'],
  ['target=github.com', 400, 'bad_request'],
  ['before=first', 400, 'bad_request'],
])('?%s is %d, in JSON that pages anywhere can read', async (query, status, code) => {
  const response = await service.fetch(`/api/deployments?${query}`)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  await expectError(response, status, code)
})

describe('?from= and ?to=', () => {
  /** Somebody with history, and with announcements at these times. */
  async function withPast() {
    const ada = await signUpPoster(service)
    const item = (version: string, deployed_at: string) => ({ message: version, version, deployed_at })
    const added = await service.fetch('/api/history', {
      method: 'POST',
      headers: { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify([item('v1', '2020-01-01T14:05:00Z'), item('v2', '2020-01-01T14:05:01Z')]),
    })
    expect(added.status).toBe(200)
    for (const message of ['v3', 'v4', 'v5']) {
      const id = await ada.announced({ message })
      await query(
        service.db,
        sql`update deployments set deployed_at = ${times[message]}::timestamptz where id = ${id}`,
      )
    }
    return ada
  }
  const times: Readonly<Record<string, string>> = {
    v3: '2021-06-01T10:00:00Z',
    v4: '2021-06-01T10:00:00.5Z',
    v5: '2021-06-01T11:00:00Z',
  }

  test('choose among what was announced and what is from history, from an instant until before another', async () => {
    await emptyDatabase(service.db)
    const ada = await withPast()
    for (const [range, found] of [
      [{ to: '2020-01-01T14:05:00Z' }, ''],
      [{ to: '2020-01-01T14:05:01Z' }, 'v1'],
      [{ from: '2020-01-01T14:05:01Z' }, 'v5 v4 v3 v2'],
      [{ from: '2020-01-01T14:05:00.5Z' }, 'v5 v4 v3 v2'],
      [{ from: '2020-01-01T15:05:01+01:00', to: '2021-06-01T10:00:00Z' }, 'v2'],
      [{ from: '2020-01-01T00:00:00Z', to: '2021-06-01T10:00:01Z' }, 'v4 v3 v2 v1'],
      [{ from: '2021-06-01T10:00:00Z', to: '2021-06-01T10:00:00.4Z' }, 'v3'],
      [{ from: '2021-06-01T10:00:00Z' }, 'v5 v4 v3'],
      [{ from: '2021-06-01T11:00:01Z' }, ''],
      [{ from: '1970-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' }, 'v5 v4 v3 v2 v1'],
    ] as const) {
      const { list: page } = await list(
        `/api/deployments?${new URLSearchParams({ user: ada.username, ...range })}`,
      )
      const seen = page.deployments.map(({ message }) => message).join(' ')
      expect([range, seen]).toEqual([range, found])
      // The feed of all users is without history.
      const { list: feed } = await list(`/api/deployments?${new URLSearchParams(range)}`)
      const announced = found.split(' ').filter((version) => version > 'v2')
      expect([range, feed.deployments.map(({ message }) => message)]).toEqual([range, announced])
    }
  })

  test('bound each page of a list', async () => {
    await emptyDatabase(service.db)
    const ada = await withPast()
    const seen: unknown[] = []
    const range = { from: '2020-01-01T14:05:01Z', to: '2021-06-01T11:00:00Z', limit: '1' }
    const first = `/api/deployments?${new URLSearchParams({ user: ada.username, ...range })}`
    for (let address: string | null = first; address !== null; ) {
      const { list: page } = await list(address)
      seen.push(...page.deployments.map(({ message }) => message))
      address = page.older
    }
    expect(seen).toEqual(['v4', 'v3', 'v2'])
  })

  test.each([
    ['from=yesterday', 'not a time with its UTC offset'],
    ['to=2026-11-02', 'not a time with its UTC offset'],
    ['to=2026-02-30T14:05:00Z', 'not a time with its UTC offset'],
    ['from=2026-11-02T14:05:00Z&to=2026-11-02T15:05:00%2B01:00', 'has to be before'],
  ])('?%s is refused', async (query, advice) => {
    const response = await service.fetch(`/api/deployments?${query}`)
    expect(response.status).toBe(400)
    expect(((await response.json()) as { message: string }).message).toContain(advice)
  })

  test('take an offset whose plus is not escaped', async () => {
    expect((await service.fetch('/api/deployments?from=2026-11-02T14:05:00+01:00')).status).toBe(200)
  })
})
