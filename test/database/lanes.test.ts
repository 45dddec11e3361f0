import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type Db, type Queries, rowsOf } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'
import { poolSize } from '../../src/database/postgres/pool.ts'
import { openTestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

let db: Db
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const lock = 7
const blocked = (queries: Queries) => rowsOf(queries, sql`select pg_advisory_xact_lock_shared(${lock})`)
const blockedNow = (queries: Queries) => {
  const statement = sql`select from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`
  return rowsOf(queries, statement)
}
const rest = (queries: Queries) => rowsOf(queries, sql`select pg_sleep(0.1)`)
const quick = (queries: Queries) => rowsOf(queries, sql`select 1`)

/** As many as may wait in the shared lane. */
const crowd = 300

test('a full shared lane does not delay the reserved one, and callers beyond its limit are refused at once', async () => {
  // So many connections are open from now on.
  await Promise.all(Array.from({ length: poolSize.shared }, () => db.write(rest)))
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.writeAtLength(async (queries) => {
    await rowsOf(queries, sql`select pg_advisory_xact_lock(${lock})`)
    held.resolve()
    await over.promise
  })
  await held.promise
  const ends: string[] = []
  const waiting = Array.from({ length: crowd }, (_, n) =>
    db.write(blocked).then(
      () => ends.push('shared'),
      (error) => {
        expect(error, `number ${n}`).toBeInstanceOf(Unavailable)
        ends.push('given up')
      },
    ),
  )
  expect(await db.write(quick).catch((error) => error)).toBeInstanceOf(Unavailable)
  await eventually('all that are shared are in use', async () => {
    return (await db.write(blockedNow, 'reserved')).length === poolSize.shared
  })
  for (let n = 0; n < 5; n += 1) await db.write(quick, 'reserved').then(() => ends.push('reserved'))
  // All that is shared waits for the lock, and these waited for none of it.
  expect(ends).toEqual(Array(5).fill('reserved'))
  over.resolve()
  await holding
  await Promise.all(waiting)
  expect(ends.filter((end) => end === 'shared').length).toBeGreaterThan(5)
  expect(await db.write(quick)).toHaveLength(1)
})

test('no query is sent for a caller that has given up while waiting', async () => {
  let asked = 0
  const counted = async (queries: Queries) => {
    asked += 1
    await rowsOf(queries, sql`select pg_sleep(0.4)`)
  }
  // Many more than those that get their turn within the 2 s.
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => db.write(counted)))
  const answered = results.filter(({ status }) => status === 'fulfilled').length
  await db.write(quick, 'reserved')
  const askedByThen = asked
  await Bun.sleep(200)
  expect(asked).toBe(askedByThen)
  expect(asked).toBeLessThan(100)
  expect(answered).toBeGreaterThan(0)
})

test('a query that was given up is cancelled in the server', async () => {
  const underWay = () =>
    db.write(
      (queries) =>
        rowsOf(
          queries,
          sql`select 1 from pg_stat_activity where query like '%generate_series(1, 2000000000)%'
            and state = 'active' and pid <> pg_backend_pid() and datname = current_database()`,
        ),
      'reserved',
    )
  // Without its own limit, the server would work on this query for minutes.
  const late = db.write(async (queries) => {
    await rowsOf(queries, sql`set statement_timeout = 0`)
    await rowsOf(queries, sql`select count(*) from generate_series(1, 2000000000)`)
  })
  expect(await late.catch((error) => error)).toBeInstanceOf(Unavailable)
  await eventually('the server has stopped it', async () => (await underWay()).length === 0)
})
