import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { feedLock } from '../../src/database/locks.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { signUpPoster } from '../support/people.ts'
import { startService } from '../support/service.ts'

test('An announcement that Postgres ends for a deadlock is recorded all the same, once', async () => {
  const { url, drop } = await createPostgresDatabase()
  const direct = postgres(url, { max: 2, onnotice: () => {} })
  // Postgres ends the session that checks for a deadlock first, and each checks once: the other must wait by then.
  await direct.unsafe(`alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '700ms'`)
  const db = await openPostgres(url)
  await db.migrated
  const service = await startService({}, db)
  const poster = await signUpPoster(service)
  expect((await poster.announce({ message: 'First' })).status).toBe(201)

  const announced = await direct.begin(async (transaction) => {
    await transaction`set local deadlock_timeout = '10s'`
    await transaction`select from latest_deployments for update`
    const announced = poster.announce({ message: 'Second' })
    await eventually('it waits', async () => {
      const waiting = await direct`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length === 1
    })
    await transaction`select pg_advisory_xact_lock(${feedLock})`
    return { answer: announced }
  })
  expect((await announced.answer).status).toBe(201)
  expect(await direct`select from deployments where message = 'Second'`).toHaveLength(1)
  await service.close()
  // A connection reports its counts when it is used again, when it ends, or when it has been idle for 10 s.
  await db.close()
  await eventually('Postgres has counted one', async () => {
    const [counted] = await direct`
        select deadlocks::int from pg_stat_database where datname = current_database()`
    return counted?.deadlocks === 1
  })
  await direct.end()
  await drop()
})
