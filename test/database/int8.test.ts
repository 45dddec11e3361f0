import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openTestDatabase, queryInTime } from '../support/database.ts'

const db = await openTestDatabase()
afterAll(() => db.close())

test('An int8 is a number on either database: an id, a count or a sum of counts; and null stays null', async () => {
  const rows = await queryInTime(
    db,
    sql`
      select ${Number.MAX_SAFE_INTEGER}::int8 as id, -1::int8 as before, count(*), sum(1::int4), null::int8 as none
      from generate_series(1, 3)`,
  )
  expect(rows).toEqual([{ id: Number.MAX_SAFE_INTEGER, before: -1, count: 3, sum: 3, none: null }])
})
