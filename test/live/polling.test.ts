import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import type { Db } from '../../src/database/db.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase } from '../support/database.ts'
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
    for (let n = 1; n <= 3; n += 1) {
      const announced = await poster.announce({ message: `Number ${n}` })
      expect(announced.status).toBe(201)
      await Bun.sleep(dueMs)
      expect(diary.ids).toHaveLength(n)
    }
    diary.stop()
    const listening = await direct`
      select query from pg_stat_activity
      where datname = current_database() and (application_name = 'shipfeed bell' or query ilike 'listen%')`
    expect([...listening]).toEqual([])
  })

  test('the database gets no queries while there are no watchers', async () => {
    await Bun.sleep(dueMs)
    const changed = () => direct`
      select max(state_change) as at from pg_stat_activity
      where datname = current_database() and application_name = 'shipfeed'`
    const [before] = await changed()
    await Bun.sleep(dueMs)
    expect((await changed())[0]?.at).toEqual(before?.at)
  })

  test('there is no metric of the bell, so that no alert fires', async () => {
    const text = await service.metrics()
    expect(text).toContain('shipfeed_database_up 1')
    expect(text).not.toMatch(/^shipfeed_bell_connected \d/m)
  })
})
