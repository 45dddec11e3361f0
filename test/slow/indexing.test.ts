import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { indexWords } from '../../src/capabilities/search/indexing.ts'
import type { Db } from '../../src/database/db.ts'
import { batchSize } from '../../src/domain/feed/id-batch.ts'
import { openTestDatabase, query } from '../support/database.ts'

/** Badges wait for a turn of the event loop. Ten times what a turn of indexing.ts takes. */
const longestMs = 100

let db: Db

beforeAll(async () => {
  db = await openTestDatabase()
  await query(db, sql`insert into users (username, name, password_hash) values ('ada', 'Ada', 'x')`)
  const word = () => Math.random().toString(36).slice(2, 8)
  const message = () => Array.from({ length: 590 }, word).join(' ').slice(0, 4_096)
  for (let written = 0; written <= batchSize; written += 100) {
    const messages = JSON.stringify(Array.from({ length: 100 }, message))
    await query(
      db,
      sql`
        insert into deployments (user_id, message, scopes, deployed_at)
        select 1, value, array[''], now() from jsonb_array_elements_text(${messages}::jsonb)`,
    )
  }
})
afterAll(() => db.close())

test.skipIf(process.platform !== 'linux')(
  `${batchSize} messages of 4 KB of different words are indexed, and again after a withdrawal, in turns of ${longestMs} ms (needs Linux)`,
  async () => {
    expect(await longestTurnDuring(() => indexWords(db))).toBeLessThan(longestMs)
    await query(db, sql`delete from deployments where id = 1000`)
    expect(await longestTurnDuring(() => indexWords(db))).toBeLessThan(longestMs)
    const [found] = await query(
      db,
      sql`
        select (select count(*)::int from search_batches) as batches, (select count(*)::int from search_changes) as changes,
          (select count(*)::int from search_pages) > 500 as "hasPages"`,
    )
    expect(found).toEqual({ batches: 1, changes: 0, hasPages: true })
  },
)

/** In milliseconds of the processor, because other programs may keep this one waiting. */
async function longestTurnDuring(work: () => Promise<void>): Promise<number> {
  const used = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  let isOver = false
  let longest = 0
  Bun.gc(true)
  let last = used()
  const look = () => {
    const now = used()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  return longest
}
