import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { feedLock } from '../../src/database/locks.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { tokenFrom } from '../../src/domain/account/token.ts'
import { patience, untilReady } from '../support/eventually.ts'
import { fromNewAddress, type Poster, signUp, signUpPoster } from '../support/people.ts'
import type { FaultProxy } from '../support/postgres/fault-proxy.ts'
import { type FaultyService, startFaultyService } from '../support/postgres/faulty-service.ts'
import { type Service, startService } from '../support/service.ts'

/** An outage is answered within 2.5 s; the rest is for a busy machine. */
const slowestMs = 4_000

/** Its checksum is right, so the database has to be asked. */
const token = tokenFrom(new Uint8Array(32))

type Case = readonly [name: string, path: string, init: RequestInit]

/** Each needs the database in a different way. */
const requests: [Case, ...Case[]] = [
  ['the feed', '/', {}],
  ['a profile', '/ada', {}],
  ['a permanent page', '/ada/1', {}],
  ['a page of somebody signed in', '/settings', { headers: { Cookie: `session=${'a'.repeat(43)}` } }],
  [
    'signing in',
    '/sign-in',
    {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ username: 'ada', password: 'whatever it may be' }),
    },
  ],
  ['a badge', '/badge/ada.svg?style=dot', {}],
  ['a badge as JSON', '/badge/ada.json', {}],
  [
    'announcing',
    '/api',
    {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: new URLSearchParams({ message: 'x' }),
    },
  ],
]

const faults: readonly (readonly [name: string, inject: (proxy: FaultProxy) => unknown])[] = [
  ['refuses connections', (proxy) => proxy.close()],
  ['falls silent', (proxy) => proxy.set('silent')],
  [
    'hangs up on every new connection',
    async (proxy) => {
      proxy.set('hang-up')
      await proxy.close()
      await proxy.open()
    },
  ],
  ['cuts every connection at its first query', (proxy) => proxy.set('cut-at-query')],
]

describe('Postgres', () => {
  describe('down at start', () => {
    let faulty: FaultyService
    beforeAll(async () => {
      faulty = await startFaultyService({ down: true })
    })
    afterAll(() => faulty.close())

    test('the process is alive, and what needs no database is served', async () => {
      expect((await faulty.service.fetch('/healthz')).status).toBe(200)
      expect((await faulty.service.fetch('/docs')).status).toBe(200)
      expect((await faulty.service.fetch('/openapi.json')).status).toBe(200)
    })

    test.each(requests)('%s is 503', async (_, path, init) => {
      await expectUnavailable(faulty.service, path, init)
    })

    test('when it is up, the schema is made and everything works, without a restart', async () => {
      await faulty.proxy.open()
      expect(await untilReady(faulty.service)).toBeLessThan(patience(slowestMs))
      await expectAllWell(faulty.service, await signUpPoster(faulty.service))
    })
  })

  describe.each(faults)('%s', (_, inject) => {
    let faulty: FaultyService
    let poster: Poster
    beforeAll(async () => {
      faulty = await startFaultyService()
      poster = await signUpPoster(faulty.service)
      expect((await faulty.service.fetch('/readyz')).status).toBe(200)
      // Every connection of the pool is open when the fault comes.
      await Promise.all(Array.from({ length: 20 }, () => faulty.service.fetch('/')))
      await inject(faulty.proxy)
    })
    afterAll(() => faulty.close())

    test('a balancer hears at once that the process is there', async () => {
      const begunAt = performance.now()
      expect((await faulty.service.fetch('/readyz')).status).toBe(200)
      // Sooner than the 2 s of waiting for the database.
      expect(performance.now() - begunAt).toBeLessThan(patience(1_500))
    })

    test('everything that needs it is 503 in time', async () => {
      await Promise.all(requests.map(([, path, init]) => expectUnavailable(faulty.service, path, init)))
    })

    test('750 calls during a fault, more than may wait at once, are answered in time too', async () => {
      for (let wave = 0; wave < 3; wave += 1) {
        const [, path, init] = requests[wave] ?? requests[0]
        await Promise.all(Array.from({ length: 250 }, () => expectUnavailable(faulty.service, path, init)))
      }
    })

    test('when that is over, everything works, without a restart', async () => {
      faulty.proxy.set('forward')
      await faulty.proxy.close()
      await faulty.proxy.open()
      expect(await untilReady(faulty.service)).toBeLessThan(patience(slowestMs))
      await expectAllWell(faulty.service, poster)
    })
  })

  test('200 ms away is used all the same, by two processes that wait for each other', async () => {
    const faulty = await startFaultyService()
    const otherDb = await openPostgres(faulty.proxy.url)
    await otherDb.migrated
    const other = await startService({}, otherDb)
    const doors = [faulty.service, other, faulty.service, other]
    const posters = await Promise.all(doors.map((door) => signUpPoster(door)))
    faulty.proxy.set('far-away')
    // The first ones open connections, and are the slowest.
    for (let n = 0; n < 4; n += 1) {
      await Promise.all(posters.map((poster) => poster.announce({ message: 'First' })))
    }
    const answers = posters.flatMap((poster) =>
      [1, 2, 3, 4, 5].map(async (n) => {
        await Bun.sleep(n * 150)
        return (await poster.announce({ message: `Number ${n}` })).status
      }),
    )
    expect(await Promise.all(answers)).toEqual(Array(20).fill(201))
    await other.close()
    await otherDb.close()
    await faulty.close()
  })

  test('a silence that ends without a cut is over at once', async () => {
    const faulty = await startFaultyService()
    const poster = await signUpPoster(faulty.service)
    faulty.proxy.set('silent')
    await Promise.all(requests.map(([, path, init]) => expectUnavailable(faulty.service, path, init)))
    faulty.proxy.set('forward')
    expect(await untilReady(faulty.service)).toBeLessThan(patience(slowestMs))
    await expectAllWell(faulty.service, poster)
    await faulty.close()
  })

  test('connections that died without a word are replaced, whatever hangs in them', async () => {
    const faulty = await startFaultyService()
    const poster = await signUpPoster(faulty.service)
    await Promise.all(Array.from({ length: 20 }, () => faulty.service.fetch('/')))
    faulty.proxy.forget()
    await Promise.all(Array.from({ length: 200 }, () => faulty.service.fetch('/')))
    expect(await untilReady(faulty.service)).toBeLessThan(patience(slowestMs))
    await expectAllWell(faulty.service, poster)
    await faulty.close()
  })

  test.each<[string, (proxy: FaultProxy) => unknown]>([
    ['ended', (proxy) => proxy.end()],
    ['reset', (proxy) => proxy.close().then(proxy.open)],
  ])('connections that are %s amid a transaction end neither the process nor the pool', async (_, cut) => {
    const { service, proxy, directUrl, close } = await startFaultyService()
    const poster = await signUpPoster(service)
    for (let round = 0; round < 5; round += 1) {
      const free = await holdFeedLock(directUrl)
      const announced = poster.announce({ message: 'It is cut' })
      await Bun.sleep(100)
      await cut(proxy)
      expect((await announced).status).toBe(503)
      await free()
      expect((await poster.announce({ message: 'It is back' })).status).toBe(201)
    }
    await expectAllWell(service, poster)
    await close()
  })
})

/** Keeps every announcement waiting within its transaction, until the returned function is called. */
async function holdFeedLock(url: string): Promise<() => Promise<void>> {
  const client = postgres(url, { max: 1 })
  await client`select pg_advisory_lock(${feedLock})`
  return () => client.end()
}

async function expectUnavailable(service: Service, path: string, init: RequestInit): Promise<void> {
  const start = performance.now()
  const response = await service.fetch(path, { ...init, headers: { ...init.headers, ...fromNewAddress() } })
  const body = await response.text()
  expect(performance.now() - start).toBeLessThan(patience(slowestMs))
  // Image proxies keep failures, so an image is answered with 200.
  const isImage = path.includes('.svg')
  expect([path, response.status]).toEqual([path, isImage ? 200 : 503])
  if (isImage) expect(response.headers.get('x-shipfeed-status')).toBe('unavailable')
  else expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(body).not.toMatch(/postgres|ECONN|127\.0\.0\.1/i)
  if (path === '/api') expect(JSON.parse(body)).toEqual({ error: 'unavailable', message: expect.any(String) })
  if (isImage) {
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate, max-age=0')
    expect(body).toContain('unavailable')
  }
}

async function expectAllWell(service: Service, poster: Poster): Promise<void> {
  expect((await poster.announce({ message: 'It is back' })).status).toBe(201)
  expect(await (await service.fetch('/')).text()).toContain('It is back')
  expect(await (await service.fetch(`/badge/${poster.username}.svg`)).text()).toContain('Fresh')
  await signUp(service)
}
