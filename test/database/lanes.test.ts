import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type Db, type Queries, rowsOf } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'
import { openTestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

let db: Db
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const slow = (queries: Queries) => rowsOf(queries, sql`select pg_sleep(0.05)`)
const quick = (queries: Queries) => rowsOf(queries, sql`select 1`)

/** As many as may wait in the shared lane. */
const crowd = 300

test('a full shared lane does not delay the reserved one, and callers beyond its limit are refused at once', async () => {
  const ends: string[] = []
  const waiting = Array.from({ length: crowd }, (_, n) =>
    db.write(slow).then(
      () => ends.push('shared'),
      (error) => {
        expect(error, `number ${n}`).toBeInstanceOf(Unavailable)
        ends.push('given up')
      },
    ),
  )
  expect(await db.write(quick).catch((error) => error)).toBeInstanceOf(Unavailable)
  for (let n = 0; n < 5; n += 1) await db.write(quick, 'reserved').then(() => ends.push('reserved'))
  // Each waited only for what was under way.
  expect(ends.lastIndexOf('reserved')).toBeLessThan(40)
  await Promise.all(waiting)
  expect(ends.filter((end) => end === 'shared').length).toBeGreaterThan(5)
  expect(await db.write(quick)).toHaveLength(1)
})

test('no query is sent for a caller that has given up while waiting', async () => {
  let asked = 0
  const counted = async (queries: Queries) => {
    asked += 1
    await rowsOf(queries, sql`select pg_sleep(1.2)`)
  }
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => db.write(counted)))
  const answered = results.filter(({ status }) => status === 'fulfilled').length
  await db.write(quick, 'reserved')
  const askedByThen = asked
  await Bun.sleep(200)
  expect(asked).toBe(askedByThen)
  expect(asked).toBeLessThan(40)
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
