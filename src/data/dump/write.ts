import { sql } from 'drizzle-orm'
import type { Db, Queries } from '../../database/db.ts'
import { seenMigrations } from '../../database/migrations.ts'
import { oneRowOf, rowsOf } from '../../database/sql.ts'
import { dumpFormat, dumpVersion, type Header, type Section, type Sequences, type Sums } from './format.ts'
import { readTables, type Table } from './tables.ts'

/** Few enough that the process which serves does other things in between. */
const rowsAtOnce = 500

/**
 * Writes everything that the database holds at one instant, in chunks of a file, while it is used. Waits for
 * each `write`. Rejects as the database and `write` do; what was written is then cut, and refused by
 * restoreDump.
 */
export async function writeDump(db: Db, write: (chunk: Uint8Array) => Promise<void>): Promise<void> {
  await db.snapshot(async (queries) => {
    const { readable, writable } = new CompressionStream('gzip')
    const writing = (async () => {
      for await (const chunk of readable) await write(chunk)
    })()
    const writer = writable.getWriter()
    const reading = (async () => {
      for await (const lines of chunksOf(queries)) await writer.write(lines)
      await writer.close()
    })()
    // Each of them ends when the other fails: the first to fail says why.
    await Promise.all([writing, reading.catch((error: unknown) => writer.abort(error))])
  })
}

/** The lines of a dump, some at a time. */
async function* chunksOf(queries: Queries): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const sum = new Bun.CryptoHasher('sha256')
  const rows: Record<string, number> = {}
  const tables = await readTables(queries)

  yield bytesOf([await headerOf(queries)])
  for (const table of tables) {
    rows[table.name] = 0
    yield bytesOf([{ table: table.name, columns: table.columns } satisfies Section])
    for await (const lines of rowsOfTable(queries, table)) {
      rows[table.name] = (rows[table.name] ?? 0) + lines.length
      yield bytesOf(lines)
    }
    yield bytesOf([''])
  }
  // Sequences do not go back with a snapshot: these are at or above every id in it.
  yield bytesOf([await readSequences(queries, tables)])
  yield bytesOf([{ rows, sha256: sum.digest('hex') } satisfies Sums])

  function bytesOf(lines: readonly (string | object)[]): Uint8Array<ArrayBuffer> {
    const texts = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    const bytes = new TextEncoder().encode(texts.join(''))
    sum.update(bytes)
    return bytes
  }
}

async function headerOf(queries: Queries): Promise<Header> {
  const { at } = await oneRowOf<{ at: string }>(queries, sql`select to_json(transaction_timestamp()) as at`)
  return { format: dumpFormat, version: dumpVersion, migrations: await seenMigrations(queries), at }
}

/** A table's rows as JSON, in the order of its key. */
async function* rowsOfTable(queries: Queries, { name, key }: Table): AsyncGenerator<readonly string[]> {
  const table = sql.identifier(name)
  const order = sql.join(
    key.map((column) => sql.identifier(column)),
    sql`, `,
  )
  await queries.execute(sql`
    declare dumped no scroll cursor for
    select row_to_json(t)::text as line from (select * from public.${table} order by ${order}) t`)
  for (let isMore = true; isMore; ) {
    const rows = await rowsOf<{ line: string }>(queries, sql.raw(`fetch ${rowsAtOnce} from dumped`))
    isMore = rows.length === rowsAtOnce
    if (rows.length > 0) yield rows.map(({ line }) => line)
  }
  await queries.execute(sql`close dumped`)
}

async function readSequences(queries: Queries, tables: readonly Table[]): Promise<Sequences> {
  const sequences: Record<string, number> = {}
  for (const { sequence } of tables) {
    if (sequence === null) continue
    const { last } = await oneRowOf<{ last: string }>(
      queries,
      sql`select case when is_called then last_value else 0 end as last from public.${sql.identifier(sequence)}`,
    )
    sequences[sequence] = Number(last)
  }
  return { sequences }
}
