import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { restoreDump } from '../../../src/data/dump/restore.ts'
import { dumpedTables } from '../../../src/data/dump/tables.ts'
import type { Db } from '../../../src/database/db.ts'
import { openEmbedded } from '../../../src/database/embedded/open.ts'
import { openTestDatabase, query, testDatabaseUrl } from '../../support/database.ts'
import { dumpOf, opened, streamOf } from '../../support/dump/dumps.ts'
import { contentsOf, fillTables } from '../../support/dump/rows.ts'

const rows = 2_345

describe('A dump', () => {
  let db: Db
  let bytes: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    db = await openEmbedded(null)
    await fillTables(db, rows)
    // As after thousands of events that are gone.
    await query(db, sql`select setval('deployments_id_seq', 5000000)`)
    bytes = await dumpOf(db)
  }, 60_000)
  afterAll(() => db.close())

  test('holds every table', async () => {
    const tables = await query<{ name: string }>(
      db,
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    )
    expect(tables.map(({ name }) => name).sort()).toEqual([...dumpedTables].sort())
  })

  test(`goes from the embedded database to ${testDatabaseUrl === undefined ? 'another one' : 'Postgres'} and back, and every table is equal`, async () => {
    const contents = await contentsOf(db)
    expect(Object.values(contents).map((table) => table.rows)).toEqual(dumpedTables.map(() => rows))
    await using there = await opened(openTestDatabase())
    const seen: string[] = []
    const restored = await restoreDump(there.db, streamOf(bytes), (name) => seen.push(name))
    expect(Object.values(restored)).toEqual(dumpedTables.map(() => rows))
    expect(seen).toEqual(dumpedTables)
    expect(await contentsOf(there.db)).toEqual(contents)

    await using back = await opened(openEmbedded(null))
    await restoreDump(back.db, streamOf(await dumpOf(there.db)))
    expect(await contentsOf(back.db)).toEqual(contents)
    expect(await nextIds(back.db)).toEqual({ deployment: 5_000_001, user: 1 })
  }, 60_000)

  test('of an empty database is restored, too', async () => {
    await using one = await opened(openEmbedded(null))
    await using other = await opened(openTestDatabase())
    await restoreDump(other.db, streamOf(await dumpOf(one.db)))
    expect(await nextIds(other.db)).toEqual({ deployment: 1, user: 1 })
  }, 30_000)
})

async function nextIds(db: Db): Promise<{ deployment: number; user: number }> {
  const [ids] = await query<{ deployment: number; user: number }>(
    db,
    sql`select nextval('deployments_id_seq')::int as deployment, nextval('users_id_seq')::int as user`,
  )
  return ids ?? { deployment: 0, user: 0 }
}
