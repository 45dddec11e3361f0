import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import type { Db } from '../../src/database/db.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { eventually, patience } from '../support/eventually.ts'
import { watch } from '../support/live/diary.ts'
import { signUpPoster } from '../support/people.ts'
import { freePort } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'

/** The service looks every 250 ms. */
const dueMs = 1_000

describe('With BELL=poll', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let direct: postgres.Sql
  let db: Db
  let service: Service
  beforeAll(async () => {
    database = await createPostgresDatabase()
    direct = postgres(database.url, { max: 1, onnotice: () => {} })
    db = await openPostgres(database.url, () => {}, { bell: 'poll' })
    await db.migrated
    service = await startService({ METRICS_PORT: String(freePort()) }, db)
  })
  afterAll(async () => {
    await service.close()
    await db.close()
    await direct.end()
    await database.drop()
  })

  test('an event reaches watchers within a second, without any LISTEN', async () => {
    const poster = await signUpPoster(service)
    const diary = await watch(service.feed)
    const delays: number[] = []
    for (let n = 1; n <= 3; n += 1) {
      const announced = await poster.announce({ message: `Number ${n}` })
      expect(announced.status).toBe(201)
      const begin = performance.now()
      await eventually('it arrives', () => diary.ids.length === n)
      delays.push(performance.now() - begin)
    }
    diary.stop()
    // The first may come by chance just before one of the looks that the feed takes every five seconds, but not the next.
    expect(Math.min(...delays.slice(1))).toBeLessThan(patience(dueMs))
    const listening = await direct`
      select query from pg_stat_activity
      where datname = current_database() and (application_name = 'shipfeed bell' or query ilike 'listen%')`
    expect([...listening]).toEqual([])
  })

  test('the database gets no queries while there are no watchers', async () => {
    const changed = async () => {
      const [last] = await direct`
        select max(state_change)::text as at from pg_stat_activity
        where datname = current_database() and application_name = 'shipfeed'`
      return last?.at
    }
    // What went before may still have some, but polling would never rest that long.
    await eventually('there are none for a second', async () => {
      const before = await changed()
      await Bun.sleep(dueMs)
      return (await changed()) === before
    })
  })

  test('there is no metric of the bell, so that no alert fires', async () => {
    const text = await service.metrics()
    expect(text).toContain('shipfeed_database_up 1')
    expect(text).not.toMatch(/^shipfeed_bell_connected \d/m)
  })
})
