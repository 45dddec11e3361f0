import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { DumpRefused, longestPreface } from '../../../src/capabilities/backups/read.ts'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import type { Db } from '../../../src/database/db.ts'
import { tables } from '../../../src/table-uses.ts'
import { dumpedTables, emptyDatabase, openTestDatabase, query } from '../../support/database.ts'
import { dumpOf, fileOf, linesOf, streamOf } from '../../support/dump/dumps.ts'
import { changed, changing, summed } from '../../support/dump/forgeries.ts'
import { contentsOf, fillTables } from '../../support/dump/rows.ts'
import { formerHashes } from '../../support/release/former.ts'

/** Enough for every kind of value, in every table. */
const rows = 30

describe('A dump is refused, and nothing of it is left behind,', () => {
  let db: Db
  /** The last id before a restore: a start on Postgres draws some, to see in which order the engine gives them. */
  let drawn: number | undefined
  let whole: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    db = await openTestDatabase()
    await fillTables(db, rows)
    whole = await dumpOf(db)
    for (const table of dumpedTables) await query(db, sql`truncate ${sql.identifier(table)} cascade`)
    drawn = await lastId()
  })
  beforeEach(() => emptyDatabase(db))
  afterAll(() => db.close())

  test.each([0, 1, 10, 0.1, 0.5, 0.9, -100, -9, -8, -1])('if it is cut (at %p of it)', async (at) => {
    const length = at > 0 && at < 1 ? Math.round(at * whole.length) : at
    await refuses(whole.slice(0, length), /cut/)
  })

  test('if a line is missing at its end', async () => {
    const lines = linesOf(whole)
    for (const count of [1, 2, 3, 50]) await refuses(fileOf(lines.slice(0, -count)), /cut|altered/)
  })

  test('if it was altered, wherever that is', async () => {
    for (let n = 0; n < 12; n += 1) {
      const altered = whole.slice()
      const place = Math.floor((whole.length * (n + 0.5)) / 12)
      altered[place] = (altered[place] ?? 0) ^ 1
      await refuses(altered, /cut|altered|not a dump|UTF-8|newer|older/)
    }
  })

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
    ['a missing row', (lines) => lines.toSpliced(5, 1)],
    ['two rows swapped', (lines) => lines.toSpliced(3, 2, lines[4] ?? '', lines[3] ?? '')],
    ['a missing table', (lines) => lines.toSpliced(1, rows + 2)],
    ['a renamed column', (lines) => changed(lines, '"users"', 0, (line) => line.replace('"name"', '"nome"'))],
    ['no columns', (lines) => changed(lines, '"users"', 0, () => '{"table":"users"}')],
    ['a section that is not JSON', (lines) => changed(lines, '"users"', 0, () => '{"table":')],
    ['a section that is null', (lines) => changed(lines, '"users"', 0, () => 'null')],
    ['another line after its end', (lines) => [...lines, '{}']],
  ])('if it was changed: %s', async (_, change) => {
    await refuses(fileOf(change(linesOf(whole))), /cut|altered/)
  })

  test.each<[string, string, (lines: string[]) => string[]]>([
    [
      'an object as a value',
      'a row of refusals, was altered or breaks a rule \\(reason must be one value\\)',
      changing('refusals', (row) => row.replace(/"reason":"[^"]*"/, `"reason":${nested(20_000)}`)),
    ],
    [
      'a number that is not a safe integer',
      'a row of deployments, was altered or breaks a rule \\(id must be one value\\)',
      changing('deployments', (row) => row.replace(/"id":\d+/, '"id":9007199254740993')),
    ],
    ['two objects in a line', 'is not a row', changing('deployments', (row) => `${row},${row}`)],
    ['a list as a row', 'is not a row', changing('deployments', (row) => `[${row}]`)],
    [
      'another column in a row',
      'has other columns',
      changing('deployments', (row) => row.replace('"id":', '"ids":')),
    ],
    [
      'a column twice',
      'it was altered',
      (lines) => changed(lines, '"users"', 0, (line) => line.replace('"id",', '"id","id",')),
    ],
    [
      'a row that no index can hold',
      'attempts cannot hold a row in lines \\d+ to \\d+',
      changing('attempts', (row) =>
        row.replace(
          /"subject":"[^"]*"/,
          `"subject":"${Buffer.from(crypto.getRandomValues(new Uint8Array(3_000))).toString('base64')}"`,
        ),
      ),
    ],
    ...['9223372036854775807', '-1', '100000000000001', '1.5', '"1"', 'null', '{}'].map(
      (last): [string, string, (lines: string[]) => string[]] => [
        `a sequence at ${last}`,
        'the last id of deployments_id_seq is impossible',
        (lines) => replaced(lines, /("deployments_id_seq":)[^,}]+/, `$1${last}`),
      ],
    ),
    ...['"abc"', '{"length":1}', '[1]', '7'].map((list): [string, string, (lines: string[]) => string[]] => [
      `migrations that are ${list}`,
      'does not list migrations',
      (lines) => replaced(lines, /("migrations":)\[[^\]]*\]/, `$1${list}`),
    ]),
  ])('if it was changed together with its sums: %s', async (_, reason, change) => {
    await refuses(fileOf(summed(change(linesOf(whole)))), new RegExp(reason))
  })

  test.each<[string, RegExp, (header: Record<string, unknown>) => unknown]>([
    ['no dump', /not a dump of Shipfeed/, () => ({ hello: 'world' })],
    ['null', /not a dump of Shipfeed/, () => null],
    ['of a newer format', /newer Shipfeed: install/, (header) => ({ ...header, version: 2 })],
    [
      'of a newer schema',
      /newer Shipfeed: install/,
      (header) => ({ ...header, migrations: [...(header.migrations as string[]), 'abc'] }),
    ],
    [
      'from before version 1.0.0',
      /made before Shipfeed 1\.0\.0: restore it with version 1\.0\.0, and then start this version on that database/,
      (header) => ({ ...header, migrations: formerHashes(11) }),
    ],
  ])('if it is %s', async (_, reason, change) => {
    const [header = '', ...lines] = linesOf(whole)
    await refuses(fileOf([JSON.stringify(change(JSON.parse(header))), ...lines]), reason)
  })

  test('if it is not gzipped, or a line never ends', async () => {
    await refuses(new TextEncoder().encode('{"format":"shipfeed dump"}\n'), /cut, altered or not a dump/)
    await refuses(Bun.gzipSync(whole), /UTF-8|no row|altered/)
    const endless = fileOf(['x'.repeat(9_000_000)])
    await refuses(endless, /not a row of Shipfeed/)
  })

  test('if too much precedes it, or it is cut after a preface', async () => {
    await refuses(after('x'.repeat(longestPreface + 1), whole), /cut, altered or not a dump/)
    await refuses(after(npms, whole.slice(0, -1)), /cut/)
    await refuses(after('\x1f\x8b\x08\0', whole), /cut, altered/)
  })

  test('if the database is not empty, which stays as it is', async () => {
    await query(db, sql`insert into retired_usernames (username) values ('somebody')`)
    const before = await contentsOf(db)
    await expect(restoreDump(db, tables, streamOf(whole))).rejects.toThrow(
      /the database is not empty \(the table retired_usernames has rows\): restore into a new one/,
    )
    expect(await contentsOf(db)).toEqual(before)
  })

  test.each([
    ['nothing', ''],
    ["npm's own lines", npms],
    ['the longest preface', 'x'.repeat(longestPreface)],
  ])('but a whole one can be restored after all of these, with %s before it', async (_, preface) => {
    await restoreDump(db, tables, streamOf(after(preface, whole)))
    const contents = await contentsOf(db)
    for (const table of dumpedTables) await query(db, sql`truncate ${sql.identifier(table)} cascade`)
    expect(Object.values(contents).map((table) => table.rows)).toEqual(dumpedTables.map(() => rows))
  })

  async function refuses(bytes: Uint8Array<ArrayBuffer>, reason: RegExp): Promise<void> {
    const error = await restoreDump(db, tables, streamOf(bytes)).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(DumpRefused)
    expect((error as DumpRefused).message).toMatch(reason)
    expect((error as DumpRefused).message).not.toContain('\n')
    expect(Object.values(await contentsOf(db)).map((table) => table.rows)).toEqual(dumpedTables.map(() => 0))
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

/** What npm prints before the output of `npm start -- dump`. */
const npms = '\n> shipfeed@1.0.0 start\n> BUN_JSC_gcMaxHeapSize=33554432 exec bun src/main.ts dump\n\n'

function after(preface: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat([Buffer.from(preface, 'latin1'), bytes]))
}

function replaced(lines: string[], pattern: RegExp, by: string): string[] {
  return lines.map((line) => line.replace(pattern, by))
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}
