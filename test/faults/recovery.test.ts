import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { testDatabaseUrl } from '../support/database.ts'
import type { FaultProxy } from '../support/fault-proxy.ts'
import { type FaultyService, startFaultyService, untilReady } from '../support/faulty-service.ts'
import { signUpPoster } from '../support/people.ts'

/** So long each round goes on once the service is ready: a connection that hangs is one for 2 s. */
const healthyMs = 3_000

describe.skipIf(testDatabaseUrl === undefined)(
  'Under load, when Postgres is back (needs TEST_DATABASE_URL)',
  () => {
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
    ])(
      'which %s, every request is answered',
      async (_, fail) => {
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
      },
      40_000,
    )
  },
)
