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
  const direct = postgres(url, { max: 3, onnotice: () => {} })
  // Postgres ends the session that checks for a deadlock first: that of the service, a moment after it begins to wait.
  await direct.unsafe(`alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '100ms'`)
  const db = await openPostgres(url)
  await db.migrated
  const service = await startService({}, db)
  const poster = await signUpPoster(service)
  expect((await poster.announce({ message: 'First' })).status).toBe(201)

  const wait = (count: number) =>
    eventually(`${count} wait`, async () => {
      const waiting = await direct`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length === count
    })
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The announcement gets the lock of the feed only when the other already waits for it, however slow the machine is.
  const holding = direct.begin(async (holder) => {
    await holder`select pg_advisory_xact_lock(${feedLock})`
    held.resolve()
    await over.promise
  })
  await held.promise
  const announced = await direct.begin(async (transaction) => {
    await transaction`set local deadlock_timeout = '1h'`
    await transaction`select from latest_deployments for update`
    const announced = poster.announce({ message: 'Second' })
    await wait(1)
    const locking = transaction`select pg_advisory_xact_lock(${feedLock})`.execute()
    await wait(2)
    over.resolve()
    await locking
    return { answer: announced }
  })
  await holding
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
