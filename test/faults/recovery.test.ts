import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { Unavailable } from '../../src/database/errors.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { signUpPoster } from '../support/people.ts'
import type { FaultProxy } from '../support/postgres/fault-proxy.ts'
import { type FaultyService, startFaultyService } from '../support/postgres/faulty-service.ts'

/** How long each round goes on once the service is ready; a connection may hang for 2 s. */
const healthyMs = 3_000

describe('Under load, when Postgres is back', () => {
  let faulty: FaultyService
  let paths: string[]
  beforeAll(async () => {
    faulty = await startFaultyService()
    const { username } = await signUpPoster(faulty.service)
    paths = [`/badge/${username}.svg`, '/', `/${username}`]
  })
  afterAll(() => faulty.close())

  test.each<[string, (proxy: FaultProxy) => unknown]>([
    ['reset its connections', (proxy) => proxy.close().then(proxy.open)],
    ['ended them', (proxy) => proxy.end()],
    ['was away', (proxy) => proxy.close().then(() => Bun.sleep(300).then(proxy.open))],
  ])('after it %s, every request is answered', async (_, fail) => {
    for (let round = 0; round < 3; round += 1) {
      let isOver = false
      let isReady = false
      const statuses = new Set<number>()
      const readers = Array.from({ length: 30 }, async (_, n) => {
        while (!isOver) {
          const wasReady = isReady
          const response = await faulty.service.fetch(paths[n % paths.length] ?? '/')
          await response.text()
          if (wasReady) statuses.add(response.status)
        }
      })
      await Bun.sleep(200)
      await fail(faulty.proxy)
      await untilReady(faulty.service)
      isReady = true
      await Bun.sleep(healthyMs)
      isOver = true
      await Promise.all(readers)
      expect([...statuses]).toEqual([200])
    }
  })

  test('a connection that is lost takes nothing with it but what was asked on it', async () => {
    const client = postgres(faulty.directUrl, { max: 1 })
    const lock = 7
    await client`select pg_advisory_lock(${lock})`
    const wait = () =>
      faulty.service.db.write((queries) => queries.execute(sql`select pg_advisory_lock_shared(${lock})`))
    const waiting = Promise.allSettled([wait(), wait()])
    await terminateOneOfTwo('select pg_advisory_lock_shared%')
    await client.end()
    const unavailable = { status: 'rejected', reason: expect.any(Unavailable) }
    const answered = { status: 'fulfilled', value: expect.anything() }
    expect<unknown>((await waiting).toSorted((a, b) => a.status.localeCompare(b.status))).toEqual([
      answered,
      unavailable,
    ])
    expect((await faulty.service.fetch('/')).status).toBe(200)
  })

  test('a server that hangs up on every connection is not stormed', async () => {
    faulty.proxy.set('hang-up')
    await faulty.proxy.close()
    await faulty.proxy.open()
    const { accepted } = faulty.proxy
    const end = performance.now() + 2_000
    const visitors = Array.from({ length: 20 }, async () => {
      while (performance.now() < end) await (await faulty.service.fetch('/')).text()
    })
    await Promise.all(visitors)
    expect(faulty.proxy.accepted - accepted).toBeLessThan(50)
    faulty.proxy.set('forward')
    await untilReady(faulty.service)
  })

  /** As soon as there are two. */
  async function terminateOneOfTwo(statement: string): Promise<void> {
    const client = postgres(faulty.directUrl, { max: 1 })
    const active = () => client<{ pid: number }[]>`
        select pid from pg_stat_activity
        where datname = current_database() and state = 'active' and query like ${statement}`
    await eventually('both are there', async () => (await active()).length === 2)
    await client`select pg_terminate_backend(${(await active())[0]?.pid ?? 0})`
    await client.end()
  }
})
