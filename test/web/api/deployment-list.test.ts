import { describe, expect, test } from 'bun:test'
import { created, expectError } from '../../support/api.ts'
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
