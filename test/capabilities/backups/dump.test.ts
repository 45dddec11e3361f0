import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import type { Db } from '../../../src/database/db.ts'
import { tables } from '../../../src/table-uses.ts'
import {
  derivedTables,
  dumpedTables,
  emptyDatabase,
  openTestDatabase,
  query,
} from '../../support/database.ts'
import { dumpOf, fileOf, linesOf, opened, streamOf } from '../../support/dump/dumps.ts'
import { contentsOf, fillTables } from '../../support/dump/rows.ts'
import { formerHashes } from '../../support/release/former.ts'

/** One more than are read, and written, at once. */
const rows = 501

describe('A dump', () => {
  let db: Db
  let bytes: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    db = await openTestDatabase()
    await fillTables(db, rows)
    // As after millions of deleted events.
    await query(db, sql`select setval('deployments_id_seq', 5000000)`)
    bytes = await dumpOf(db)
  })
  afterAll(() => db.close())

  test('holds every table except those that a restore derives from the others', async () => {
    const found = await query<{ name: string }>(
      db,
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    )
    expect(found.map(({ name }) => name).sort()).toEqual(
      [...dumpedTables, ...Object.keys(derivedTables)].sort(),
    )
  })

  test('goes to another database and back, and every table is equal', async () => {
    const contents = await contentsOf(db)
    expect(Object.values(contents).map((table) => table.rows)).toEqual(dumpedTables.map(() => rows))
    await using there = await opened(openTestDatabase())
    const seen: string[] = []
    const restored = await restoreDump(there.db, tables, streamOf(bytes), {
      onTable: (name) => seen.push(name),
    })
    expect(Object.values(restored)).toEqual(dumpedTables.map(() => rows))
    expect(seen).toEqual(dumpedTables)
    expect(await contentsOf(there.db)).toEqual(contents)
    expect(await targetDaysOf(there.db)).toEqual(await targetDaysOf(db))

    await using back = await opened(openTestDatabase())
    await restoreDump(back.db, tables, streamOf(await dumpOf(there.db)))
    expect(await contentsOf(back.db)).toEqual(contents)
    expect(await nextIds(back.db)).toEqual({ deployment: 5_000_001, user: 1 })
  })

  test('of an empty database can be restored, too', async () => {
    await using one = await opened(openTestDatabase())
    await using other = await opened(openTestDatabase())
    await restoreDump(other.db, tables, streamOf(await dumpOf(one.db)))
    // A start draws three ids, to see in which order the engine gives them: here, that of the template and that of its copy.
    expect(await nextIds(other.db)).toEqual({ deployment: 7, user: 1 })
  })
})

/** The same dump as an older Shipfeed with these migrations wrote it, without the tables and columns of later ones. */
function olderDump(bytes: Uint8Array<ArrayBuffer>, migrations: readonly string[]): Uint8Array<ArrayBuffer> {
  const [header = '', ...lines] = linesOf(bytes)
  const body = lines
    .slice(0, -1)
    .join('\n')
    .replace(/\{"table":"(publishers|used_jtis)".*\n\n/g, '')
    .replaceAll(',"publisher_id":null', '')
    .replace(',"publisher_id"', '')
    .replace('"publishers_id_seq":0,', '')
    .replace(',"id","name","may","targets","environments","ends_on","last_used_from"', '')
    .replace(/,"id":\d+,"name":"default","may":.*,"last_used_from":null/g, '')
    .replace(/"tokens_id_seq":\d,/, '')
  const older = [JSON.stringify({ ...JSON.parse(header), migrations }), body]
  const { rows } = JSON.parse(lines.at(-1) ?? '') as { rows: Record<string, number> }
  const { publishers: _, used_jtis: __, ...left } = rows
  const sha256 = new Bun.CryptoHasher('sha256').update(`${older.join('\n')}\n`).digest('hex')
  return fileOf([...older, JSON.stringify({ rows: left, sha256 })])
}

describe('A dump of an older Shipfeed, which had fewer tables, is restored:', () => {
  let one: Db
  let other: Db
  beforeAll(async () => {
    one = await openTestDatabase()
    other = await openTestDatabase()
    await query(one, sql`insert into users (username, name, password_hash) values ('ada', 'Ada', '')`)
    // A token, and a previous one that is valid for another hour.
    await query(
      one,
      sql`insert into tokens (hash, user_id, last_four, expires_at)
        values (repeat('1', 64), 1, 'last', null), (repeat('2', 64), 1, 'kept', now() + interval '1 hour')`,
    )
  })
  beforeEach(() => emptyDatabase(other))
  afterAll(async () => {
    await one.close()
    await other.close()
  })

  test('of version 1.0.0', async () => {
    const bytes = olderDump(await dumpOf(one), formerHashes(12))
    expect(linesOf(bytes).join()).not.toMatch(/publisher|"may"|tokens_id_seq/)
    // The restore gives the tokens ids, which begin at 1 as in a new database.
    await query(other, sql`select setval('tokens_id_seq', 1, false)`)
    await restoreDump(other, tables, streamOf(bytes))
    expect(await contentsOf(other)).toEqual(await contentsOf(one))
  })
})

async function targetDaysOf(db: Db): Promise<readonly unknown[]> {
  return await query(db, sql`select target_days::text as row from target_days order by user_id, target, day`)
}

async function nextIds(db: Db): Promise<{ deployment: number; user: number }> {
  const [ids] = await query<{ deployment: number; user: number }>(
    db,
    sql`select nextval('deployments_id_seq')::int as deployment, nextval('users_id_seq')::int as user`,
  )
  return ids ?? { deployment: 0, user: 0 }
}
