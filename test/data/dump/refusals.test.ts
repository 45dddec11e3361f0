import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { DumpRefused } from '../../../src/data/dump/refused.ts'
import { restoreDump } from '../../../src/data/dump/restore.ts'
import { dumpedTables } from '../../../src/data/dump/tables.ts'
import type { Db } from '../../../src/database/db.ts'
import { emptyDatabase, openTestDatabase, query } from '../../support/database.ts'
import { dumpOf, fileOf, linesOf, streamOf } from '../../support/dump/dumps.ts'
import { contentsOf, fillTables } from '../../support/dump/rows.ts'

describe('A dump is refused, and nothing of it is left behind,', () => {
  let db: Db
  /** The last id: a start on Postgres draws some, to see how the engine gives them. */
  let drawn: number | undefined
  let whole: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    db = await openTestDatabase()
    await fillTables(db, 120)
    whole = await dumpOf(db)
    for (const table of dumpedTables) await query(db, sql`truncate ${sql.identifier(table)} cascade`)
    drawn = await lastId()
  }, 60_000)
  beforeEach(() => emptyDatabase(db))
  afterAll(() => db.close())

  test.each([0, 1, 10, 0.1, 0.5, 0.9, -100, -9, -8, -1])(
    'if it is cut (at %p of it)',
    async (at) => {
      const length = at > 0 && at < 1 ? Math.round(at * whole.length) : at
      await refuses(whole.slice(0, length), /cut/)
    },
    20_000,
  )

  test('if a line is missing at its end', async () => {
    const lines = linesOf(whole)
    for (const count of [1, 2, 3, 50]) await refuses(fileOf(lines.slice(0, -count)), /cut|altered/)
  }, 20_000)

  test('if it was altered, wherever that is', async () => {
    for (let n = 0; n < 12; n += 1) {
      const altered = whole.slice()
      const place = Math.floor((whole.length * (n + 0.5)) / 12)
      altered[place] = (altered[place] ?? 0) ^ 1
      await refuses(altered, /cut|altered|no dump|UTF-8|newer|older/)
    }
  }, 30_000)

  test.each<[string, (lines: string[]) => string[]]>([
    [
      'a digit of an id',
      (lines) => changed(lines, '"deployments"', 3, (row) => row.replace(/"id":\d/, '"id":9')),
    ],
    [
      'an owner',
      (lines) => changed(lines, '"tokens"', 1, (row) => row.replace(/"user_id":\d+/, '"user_id":99999')),
    ],
    [
      'a null',
      (lines) => changed(lines, '"users"', 1, (row) => row.replace(/"name":"[^"]*"/, '"name":null')),
    ],
    ['a row twice', (lines) => changed(lines, '"refusals"', 1, (row) => `${row}\n${row}`)],
    ['a row less', (lines) => lines.toSpliced(5, 1)],
    ['two rows in another order', (lines) => lines.toSpliced(3, 2, lines[4] ?? '', lines[3] ?? '')],
    ['a table less', (lines) => lines.toSpliced(1, 122)],
    [
      'a column of another name',
      (lines) => changed(lines, '"users"', 0, (line) => line.replace('"name"', '"nome"')),
    ],
    ['no columns', (lines) => changed(lines, '"users"', 0, () => '{"table":"users"}')],
    ['a section that is no JSON', (lines) => changed(lines, '"users"', 0, () => '{"table":')],
    ['a section that is null', (lines) => changed(lines, '"users"', 0, () => 'null')],
    ['another line after its end', (lines) => [...lines, '{}']],
  ])(
    'if somebody changed it: %s',
    async (_, change) => {
      await refuses(fileOf(change(linesOf(whole))), /cut|altered/)
    },
    20_000,
  )

  test.each<[string, RegExp, (header: Record<string, unknown>) => unknown]>([
    ['no dump', /no dump of Shipfeed/, () => ({ hello: 'world' })],
    ['null', /no dump of Shipfeed/, () => null],
    ['of a newer form', /newer Shipfeed: install/, (header) => ({ ...header, version: 2 })],
    [
      'of a newer schema',
      /newer Shipfeed: install/,
      (header) => ({ ...header, migrations: [...(header.migrations as string[]), 'abc'] }),
    ],
    [
      'of a schema whose data was changed since',
      /older Shipfeed, and its tables have changed since: restore it with that one/,
      (header) => ({ ...header, migrations: (header.migrations as string[]).slice(0, 3) }),
    ],
  ])('if it is %s', async (_, reason, change) => {
    const [header = '', ...lines] = linesOf(whole)
    await refuses(fileOf([JSON.stringify(change(JSON.parse(header))), ...lines]), reason)
  })

  test('if it is no gzip, or a line never ends', async () => {
    await refuses(new TextEncoder().encode('{"format":"shipfeed dump"}\n'), /cut, altered or no dump/)
    const endless = fileOf(['x'.repeat(9_000_000)])
    await refuses(endless, /no row of Shipfeed/)
  })

  test('if the database is not empty, which is left as it is', async () => {
    await query(db, sql`insert into retired_usernames (username) values ('somebody')`)
    const before = await contentsOf(db)
    await expect(restoreDump(db, streamOf(whole))).rejects.toThrow(
      /the database is not empty \(there are retired_usernames\): restore into a new one/,
    )
    expect(await contentsOf(db)).toEqual(before)
  })

  test('but not after all of these: whole, it is restored', async () => {
    await restoreDump(db, streamOf(whole))
    expect(Object.values(await contentsOf(db)).map(({ rows }) => rows)).toEqual(dumpedTables.map(() => 120))
  }, 20_000)

  async function refuses(bytes: Uint8Array<ArrayBuffer>, reason: RegExp): Promise<void> {
    const error = await restoreDump(db, streamOf(bytes)).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(DumpRefused)
    expect((error as DumpRefused).message).toMatch(reason)
    expect((error as DumpRefused).message).not.toContain('\n')
    expect(Object.values(await contentsOf(db)).map(({ rows }) => rows)).toEqual(dumpedTables.map(() => 0))
    expect(await lastId()).toBe(drawn)
  }

  async function lastId(): Promise<number | undefined> {
    const [ids] = await query<{ last: number }>(
      db,
      sql`select last_value::int as last from deployments_id_seq`,
    )
    return ids?.last
  }
})

/** Changes the nth line of a table's section, the first of which names it. */
function changed(lines: string[], table: string, n: number, change: (line: string) => string): string[] {
  const place = lines.findIndex((line) => line.startsWith(`{"table":${table}`)) + n
  const line = lines[place] ?? ''
  const other = change(line)
  if (other === line) throw new Error(`Nothing was changed in ${line}`)
  return lines.with(place, other)
}
