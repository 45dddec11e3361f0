import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { listRefusals, refusalRecorder } from '../../src/data/refused-calls.ts'
import type { Db } from '../../src/database/db.ts'
import { emptyDatabase, openTestDatabase, query } from '../support/database.ts'

let db: Db
let keep: ReturnType<typeof refusalRecorder>
beforeAll(async () => {
  db = await openTestDatabase()
  keep = refusalRecorder(db)
})
afterAll(() => db.close())

beforeEach(async () => {
  await emptyDatabase(db)
  await query(
    db,
    sql`insert into users (id, username, name, password_hash)
      overriding system value select i, 'user-' || i, 'User', 'x' from generate_series(1, 2) i`,
  )
  await query(
    db,
    sql`insert into tokens (hash, user_id, last_four) select 'hash-' || i, i, 'abcd' from generate_series(1, 2) i`,
  )
})

function refuse(user: number, status: number, reason = 'because'): Promise<void> {
  return keep({ tokenHash: `hash-${user}`, status, reason, source: null })
}

/** What the owner is shown, which is all that is stored. */
async function kept(user: number): Promise<string[]> {
  const shown = await listRefusals(db, user)
  const stored = await query(db, sql`select from refusals where user_id = ${user}`)
  expect(stored).toHaveLength(shown.length)
  return shown.map(({ status, reason }) => `${status} ${reason}`)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n)
}

const newestFirst = (from: number, to: number) =>
  range(from, to)
    .reverse()
    .map((n) => `422 ${n}`)

test('a refusal is kept for the owner of the token only, with the time of the database', async () => {
  await refuse(1, 422, 'message is blank')
  const [refusal] = await listRefusals(db, 1)
  expect(refusal).toMatchObject({ status: 422, reason: 'message is blank' })
  expect(Math.abs(Date.now() - Number(refusal?.refusedAt))).toBeLessThan(60_000)
  expect(await kept(2)).toEqual([])
})

test('nothing is kept for a token without an owner', async () => {
  await keep({ tokenHash: 'hash-3', status: 422, reason: 'because', source: null })
  expect([await kept(1), await kept(2)]).toEqual([[], []])
})

test.each([
  [
    'one by one',
    async (numbers: number[]) => {
      for (const n of numbers) await refuse(1, 422, String(n))
    },
  ],
  [
    'all at once',
    async (numbers: number[]) => {
      await Promise.all(numbers.map((n) => refuse(1, 422, String(n))))
    },
  ],
])('of 25 that come %s, the newest 20 stay, and all of another user', async (_, send) => {
  await refuse(2, 400)
  await send(range(1, 20))
  expect(await kept(1)).toEqual(newestFirst(1, 20))
  await send(range(21, 25))
  expect(await kept(1)).toEqual(newestFirst(6, 25))
  expect(await kept(2)).toEqual(['400 because'])
})

test('of a batch larger than the limit, the newest stay', async () => {
  await Promise.all(range(1, 60).map((n) => refuse(1, 422, String(n))))
  expect(await kept(1)).toEqual(newestFirst(41, 60))
})

test.each([401, 429])('of a flood of %d, one a minute is kept, at once or one by one', async (status) => {
  await Promise.all(range(1, 100).map(() => refuse(1, status)))
  for (const _ of range(1, 5)) await refuse(1, status)
  await refuse(2, status)
  expect([await kept(1), await kept(2)]).toEqual([[`${status} because`], [`${status} because`]])

  await query(db, sql`update refusals set refused_at = now() - interval '45 seconds'`)
  await refuse(1, status)
  expect(await kept(1)).toHaveLength(1)
  await query(db, sql`update refusals set refused_at = now() - interval '60 seconds'`)
  await refuse(1, status)
  expect(await kept(1)).toHaveLength(2)
})

test('a flood does not displace other refusals', async () => {
  for (const n of range(1, 20)) await refuse(1, 422, String(n))
  await Promise.all(range(1, 50).map(() => refuse(1, 429)))
  expect(await kept(1)).toEqual(['429 because', ...newestFirst(2, 20)])
})
