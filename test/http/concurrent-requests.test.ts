import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Db } from '../../src/database/db.ts'
import { tokenFrom } from '../../src/domain/account/token.ts'
import { runBy } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { behindProxy, fromNewAddress } from '../support/people.ts'
import { type Service, sharedDatabase, startService } from '../support/service.ts'

let gate = Promise.withResolvers<void>()
let service: Service
beforeAll(async () => {
  const db = await sharedDatabase()
  const run: Db['write'] = async (work, lane) => {
    await gate.promise
    return await db.write(work, lane)
  }
  service = await startService({ ...behindProxy, STREAMS_PER_ADDRESS: '20' }, runBy(run, db))
})
afterAll(async () => {
  gate.resolve()
  await service.close()
})

type Ask = { readonly path: string; readonly init?: RequestInit }

const token = { Authorization: `Bearer ${tokenFrom(new Uint8Array(32))}` }
const form = {
  method: 'POST',
  body: new URLSearchParams({ username: 'nobody', password: 'a' }),
  headers: { 'Sec-Fetch-Site': 'same-origin' },
}

/** A throttled sign-in is 429 too, with a longer wait. */
const isCrowdedOut = ({ status, headers }: Response) => status === 429 && headers.get('retry-after') === '2'

test.each<[Ask, number]>([
  [{ path: '/nobody/1' }, 50],
  [{ path: '/?before=7' }, 50],
  [{ path: '/api/deployments?before=7' }, 50],
  [{ path: '/sign-in', init: form }, 30],
  // As many streams as an address may have, and its polls.
  [{ path: '/feed/live?user=nobody' }, 50],
])('of %p an address may have %i under way, and another one has its own', async ({ path, init }, most) => {
  const headers = { ...init?.headers, ...fromNewAddress() }
  const ask = (from: Record<string, string>) =>
    service.fetch(path, { ...init, headers: { ...headers, ...from } })
  gate = Promise.withResolvers()
  const before = service.pendingRequests()
  const underWay = Array.from({ length: most }, () => ask({}))
  await eventually('all are under way', () => service.pendingRequests() === before + most)
  expect(isCrowdedOut(await ask({}))).toBeTrue()
  const other = ask(fromNewAddress())
  gate.resolve()
  expect((await Promise.all([...underWay, other])).filter(isCrowdedOut)).toEqual([])
  expect(isCrowdedOut(await ask({}))).toBeFalse()
})

test('a burst of a forge waits for its turn, and nothing of it is refused', async () => {
  const headers = fromNewAddress()
  gate = Promise.withResolvers()
  const before = service.pendingRequests()
  const burst = Array.from({ length: 200 }, () =>
    service.fetch('/api/in/github/nobodys-intake-with-22', { method: 'POST', body: '{}', headers }),
  )
  await eventually('all are under way', () => service.pendingRequests() === before + 200)
  // Longer than other requests wait.
  await Bun.sleep(1_500)
  gate.resolve()
  expect((await Promise.all(burst)).map(({ status }) => status)).toEqual(Array(200).fill(404))
})

test.each<Ask>([
  { path: '/badge/nobody.svg' },
  { path: '/readyz' },
  { path: '/api', init: { method: 'POST', body: new URLSearchParams({ message: 'a' }), headers: token } },
])('of %p it may have any number', async ({ path, init }) => {
  const headers = { ...init?.headers, ...fromNewAddress() }
  gate = Promise.withResolvers()
  const before = service.pendingRequests()
  const underWay = Array.from({ length: 100 }, () => service.fetch(path, { ...init, headers }))
  await eventually('all are under way', () => service.pendingRequests() === before + 100)
  gate.resolve()
  for (const answer of await Promise.all(underWay)) expect(answer.status).not.toBe(429)
})

test('a request that its client gives up, or that fails, frees its place', async () => {
  const headers = fromNewAddress()
  gate = Promise.withResolvers()
  const before = service.pendingRequests()
  const leaving = new AbortController()
  const left = Array.from({ length: 50 }, () =>
    service.fetch('/nobody/1', { headers, signal: leaving.signal }).catch(() => null),
  )
  await eventually('all are under way', () => service.pendingRequests() === before + 50)
  leaving.abort()
  await Promise.all(left)
  gate.resolve()
  await eventually(
    'there is room',
    async () => (await service.fetch('/nobody/1', { headers })).status === 404,
  )
  const failed = await Promise.all(Array.from({ length: 50 }, () => service.fetch('/nobody/x', { headers })))
  expect(failed.map(({ status }) => status)).toEqual(Array(50).fill(404))
  expect((await service.fetch('/nobody/1', { headers })).status).toBe(404)
})
