import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Queries, rowsOf } from '../../src/database/db.ts'
import {
  areInPlace,
  type DatabaseFunctions,
  databaseFunctions,
  putInPlace,
} from '../../src/database/functions.ts'
import { isMigrated, migrate } from '../../src/database/migrations.ts'
import { batchSize } from '../../src/domain/feed/id-batch.ts'
import { useBareDatabase } from '../support/database.ts'

const folder = join(import.meta.dir, '../../drizzle/functions')
const files = readdirSync(folder)
const wanted = databaseFunctions()

describe('The functions of the database', () => {
  test('are one to a file, which has the same name', () => {
    expect(files.length).toBeGreaterThan(8)
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8')
      expect(
        [...text.matchAll(/function (\w+)\([^)]*\)\s*returns/g)].map(([, name]) => `${name}.sql`),
      ).toEqual([file])
    }
    expect(wanted.names).toEqual(files.toSorted().map((file) => file.slice(0, -4)))
  })

  test('are what the files say once the database is migrated, with the constants of the program', async () => {
    await using bare = await useBareDatabase()
    await migrate(bare.queries)
    const held = await bodiesIn(bare.queries)
    expect([...held.keys()]).toEqual([...wanted.names])
    for (const [name, body] of held) {
      const statement = wanted.statements.find((each) => each.includes(`create or replace function ${name}(`))
      expect(body).toBe(/\$\$(.*)\$\$/s.exec(statement ?? '')?.[1] ?? '')
      expect(body).not.toContain('${')
    }
    expect(held.get('note_search_changes')).toContain(`id / ${batchSize}`)
    expect(await triggersIn(bare.queries)).toEqual([
      'deployments_changed',
      'deployments_counted',
      'deployments_deleted',
      'deployments_recounted',
      'deployments_stamped_by_delete',
      'deployments_stamped_by_update',
    ])
  })

  test('and their triggers are put back at the next start where somebody changed or dropped them', async () => {
    await using bare = await useBareDatabase()
    const { queries } = bare
    await migrate(queries)
    const before = await bodiesIn(queries)
    for (const change of [
      `create or replace function utc_day(instant timestamptz) returns date language sql immutable as $$ select current_date $$`,
      'alter function count_days reset all',
      'drop function roll_token',
      'drop trigger deployments_counted on deployments',
      'alter table deployments disable trigger deployments_recounted',
    ]) {
      expect(await isMigrated(queries)).toBeTrue()
      await queries.execute(sql.raw(change))
      expect(await isMigrated(queries)).toBeFalse()
      await migrate(queries)
    }
    expect(await isMigrated(queries)).toBeTrue()
    expect(await bodiesIn(queries)).toEqual(before)
  })
})

describe('Of two releases on one database,', () => {
  const other = (release: string, body: string): DatabaseFunctions => ({
    release,
    names: ['utc_day'],
    statements: [
      `create or replace function utc_day(instant timestamptz) returns date language sql immutable as $$ ${body} $$`,
    ],
    hash: body,
  })
  const older = other('1.9.0', `select '1900-01-01'::date`)
  const newer = other('1.10.0', `select '2000-01-01'::date`)
  const changed = other('1.10.0', `select '2001-01-01'::date`)

  test('the newer one has its functions there, whichever starts last', async () => {
    await using bare = await useBareDatabase()
    const { queries } = bare
    await queries.execute(sql`create schema drizzle`)
    const start = async (functions: DatabaseFunctions) => {
      await putInPlace(queries, functions)
      expect(await areInPlace(queries, functions)).toBeTrue()
      return (await bodiesIn(queries)).get('utc_day')?.slice(9, 13)
    }
    expect(await start(older)).toBe('1900')
    expect(await start(newer)).toBe('2000')
    expect(await start(older)).toBe('2000')
    expect(await start(newer)).toBe('2000')
    // Of the same version, as during development, the last one to start.
    expect(await start(changed)).toBe('2001')
    expect(await start(newer)).toBe('2000')
  })

  test('the older one calls a function while it is replaced, and never misses it', async () => {
    await using bare = await useBareDatabase()
    const { queries, others } = bare
    await migrate(queries)
    let isReplacing = true
    let calls = 0
    const calling = (async () => {
      for (; isReplacing; calls += 1) {
        const [row] = await rowsOf<{ recorded: unknown }>(
          others,
          sql`select announce('[{"token_hash": "?"}]', 0, 2::smallint)::jsonb -> 'results' as recorded`,
        )
        expect(row?.recorded).toEqual([{ outcome: 'unauthorized' }])
      }
    })()
    for (let n = 0; n < 10 || calls <= 5; n += 1) {
      const release = `99.0.${n}`
      await queries.transaction((transaction) =>
        putInPlace(transaction, { ...wanted, release, hash: release }),
      )
      await Bun.sleep(1)
    }
    isReplacing = false
    await calling
  })
})

async function bodiesIn(queries: Queries): Promise<Map<string, string>> {
  const rows = await rowsOf<{ name: string; body: string }>(
    queries,
    sql`
      select proname::text as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace
      order by proname collate "C"`,
  )
  return new Map(rows.map(({ name, body }) => [name, body]))
}

async function triggersIn(queries: Queries): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    queries,
    sql`
      select tgname::text as name from pg_trigger
      where tgrelid = 'deployments'::regclass and not tgisinternal order by tgname collate "C"`,
  )
  return rows.map(({ name }) => name)
}
