import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { deleteUser } from '../../../src/data/account/deletion.ts'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { withdrawDeployment } from '../../../src/data/deployments.ts'
import { recorder } from '../../../src/data/recording.ts'
import { counting } from '../../../src/data/statements.ts'
import type { Db } from '../../../src/database/db.ts'
import { openPostgres } from '../../../src/database/postgres/open.ts'
import { tables } from '../../../src/table-uses.ts'
import { createPostgresDatabase, query } from '../../support/database.ts'
import { eventually, patience } from '../../support/eventually.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { startService } from '../../support/service.ts'

const size = 300_000

/**
 * An announcement takes some 10 ms alone, and up to 40 ms during this work. If it had to wait for a whole account,
 * it would fail after 2 s.
 */
const longestMs = 1_500

describe(`An account of ${size} deployments, each to a target of its own`, () => {
  let db: Db
  let drop: () => Promise<void>
  let close: () => Promise<void>
  let other: Poster
  let userId: number

  beforeAll(async () => {
    const scratch = await createPostgresDatabase()
    drop = scratch.drop
    db = await openPostgres(scratch.url)
    await db.migrated
    const service = await startService({}, db)
    close = service.close
    other = await signUpPoster(service)
    userId = await fill(scratch.url)
  })
  afterAll(async () => {
    await close()
    await db.close()
    await drop()
  })

  test('withdraws each kind of deployment without slowing down the announcements of others', async () => {
    const slowest = await slowestAnnouncementDuring(async () => {
      // The last one, one from the middle and one of the first, each the only one of its target.
      for (const offset of [0, size / 2, size - 10]) {
        const [row] = await query<{ id: number }>(
          db,
          sql`
              select id::int as id from deployments where user_id = ${userId} order by id desc
              offset ${offset} limit 1`,
        )
        expect(await withdrawDeployment(db, { userId, id: row?.id ?? 0 })).toBe(true)
      }
    })
    expect(slowest).toBeLessThan(patience(longestMs))
  })

  test('is deleted in the background without slowing down the announcements of others', async () => {
    const slowest = await slowestAnnouncementDuring(async () => {
      const start = performance.now()
      await deleteUser(db, tables, userId)
      expect(performance.now() - start).toBeLessThan(patience(2_500))
      await eventually('much of it is gone', async () => (await leftOf(userId)) < size - 5_000)
    })
    expect(slowest).toBeLessThan(patience(longestMs))
    // The rest goes with the database.
    expect(await leftOf(userId)).toBeGreaterThan(0)
  })

  async function leftOf(userId: number): Promise<number> {
    const [row] = await query<{ left: number }>(
      db,
      sql`select count(*)::int as left from deployments where user_id = ${userId}`,
    )
    return row?.left ?? Number.NaN
  }

  async function slowestAnnouncementDuring(work: () => Promise<void>): Promise<number> {
    const record = recorder(db, 0)
    let slowest = 0
    let isOver = false
    const announcing = (async () => {
      while (!isOver) {
        const start = performance.now()
        const announcement = { message: 'A', url: 'https://github.com/o/p', category: null }
        await record({ tokenHash: hashSecret(other.token), announcement, idempotencyKey: null })
        slowest = Math.max(slowest, performance.now() - start)
        await Bun.sleep(5)
      }
    })()
    const start = performance.now()
    await work()
    isOver = true
    await announcing
    console.log(
      `slowest announcement ${slowest.toFixed(1)} ms, in ${(performance.now() - start).toFixed(0)} ms`,
    )
    return slowest
  }

  async function fill(url: string): Promise<number> {
    const client = postgres(url, { max: 1, onnotice: () => {} })
    const [user] = await client`
        insert into users (username, name, password_hash) values ('busy', 'Busy', 'x') returning id::int as id`
    await client.unsafe(`
        insert into deployments (user_id, message, url, scopes, target, target_rule, deployed_at)
        select ${user?.id}, 'A', 'https://' || t, array['', 'github.com', 'github.com/busy', t], t, 2,
          now() - make_interval(secs => ${size} - n)
        from (select n, 'github.com/busy/p' || n as t from generate_series(1, ${size}) n) d`)
    await client.unsafe(new PgDialect().sqlToQuery(counting(sql`deployments`)).sql)
    await client.unsafe('analyze')
    await client.end()
    return user?.id
  }
})
