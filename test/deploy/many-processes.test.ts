import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { importLimits } from '../../src/domain/imported.ts'
import { expectError } from '../support/api.ts'
import { createPostgresDatabase, query } from '../support/database.ts'
import { type Fleet, fleet } from '../support/deploy/fleet.ts'
import { startProxy } from '../support/deploy/proxies.ts'
import { failuresOf, visit } from '../support/deploy/visitors.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { followFeed } from '../support/live/follower.ts'
import { needing } from '../support/needs/needs.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { freePort, proxiedDoorOf } from '../support/process.ts'

const visitors = 8
/** Slow, so that a watcher who is away for a second misses fewer than the hundred that the service sends again. */
const pauseMs = 100
const watchers = 60

for (const name of ['haproxy', 'nginx'] as const) {
  needing(name).describe(`Three processes behind ${name}, as deploy/ has it`, () => {
    const port = freePort()
    const address = `http://127.0.0.1:${port}`
    const door = proxiedDoorOf(address)
    let database: Awaited<ReturnType<typeof createPostgresDatabase>>
    let processes: Fleet
    let proxy: Awaited<ReturnType<typeof startProxy>>
    let ada: Poster

    beforeAll(async () => {
      database = await createPostgresDatabase()
      // The proxy knows a fourth one, which starts later.
      const settings = { DRAIN_SECONDS: '2' }
      processes = fleet({ size: 4, databaseUrl: database.url, address, settings })
      await Promise.all([0, 1, 2].map(processes.start))
      proxy = await startProxy(name, port, processes.ports)
      await untilReady(door)
      ada = await signUpPoster(door)
    })

    afterAll(async () => {
      await processes.stop()
      await proxy.stop()
      await database.drop()
    })

    test('refuse a body above 1 MiB in JSON', async () => {
      const answer = await door.fetch('/api/history', {
        method: 'POST',
        headers: { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify('x'.repeat(importLimits.bytes)),
      })
      await expectError(answer, 413, 'payload_too_large')
    })

    test('with one killed, one added and each replaced in turn, nothing fails, is lost or announced twice, and all share the work', async () => {
      const followers = Array.from({ length: watchers }, () => followFeed(address))
      await eventually('all follow', () => followers.every(({ connections }) => connections === 1))
      const feeds = await Promise.all([0, 1, 2].map((n) => processes.counted(n, 'shipfeed_watchers')))
      expect(Math.min(...feeds)).toBeGreaterThan(watchers / 6)

      const load = visit(door, ada, { count: visitors, pauseMs })
      await Bun.sleep(1_000)
      await processes.kill(0)
      await Bun.sleep(1_000)
      await processes.start(0)
      await processes.start(3)
      for (const n of [1, 2, 3]) {
        expect(await processes.end(n)).toBe(0)
        await processes.start(n)
      }
      await eventually('each has done a part since', async () => {
        const parts = await Promise.all(
          [0, 1, 2, 3].flatMap((n) =>
            ['shipfeed_badges_total', 'shipfeed_announcements_total'].map((metric) =>
              processes.counted(n, metric),
            ),
          ),
        )
        return Math.min(...parts) > 0
      })
      await load.stop()

      expect(load.answers.length).toBeGreaterThan(visitors * 50)
      expect(failuresOf(load)).toEqual([])
      const db = await openPostgres(database.url)
      await db.migrated
      const rows = await query<{ id: string; message: string }>(
        db,
        sql`select id, message from deployments order by id`,
      )
      await db.close()
      expect(rows.map(({ message }) => message).sort()).toEqual(load.keys.toSorted())
      const ids = rows.map(({ id }) => Number(id))
      await eventually('all have the last', () => followers.every((one) => one.ids.at(-1) === ids.at(-1)))
      await Promise.all(followers.map((follower) => follower.stop()))
      expect(followers.map(({ gaps }) => gaps)).toEqual(followers.map(() => 0))
      for (const follower of followers) expect(follower.ids).toEqual(ids)
    })
  })
}
