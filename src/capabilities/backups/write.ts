import { sql } from 'drizzle-orm'
import { identifiers, readShapes, type TableShape, tableOf } from '../../data/table-uses/table-shape.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import { type Db, oneRowOf, type Queries, rowsOf } from '../../database/db.ts'
import { seenMigrations } from '../../database/migrations.ts'
import {
  type DumpHeader,
  type DumpSection,
  type DumpSequences,
  type DumpSums,
  dumpFormat,
  dumpVersion,
} from './format.ts'

/** So few that a process can also serve requests in between. */
const rowsAtOnce = 500

/**
 * Writes a dump of these tables at one instant in chunks, and waits for each `write`. If the database or `write` fails,
 * rejects and leaves a file that restoreDump refuses.
 */
export async function writeDump(
  db: Pick<Db, 'snapshot'>,
  tables: readonly TableUse[],
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  await db.snapshot(async (queries) => {
    const chunks = chunksOf(queries, tables)
    const lines = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        const { value } = await chunks.next()
        if (value === undefined) controller.close()
        else controller.enqueue(value)
      },
    })
    for await (const chunk of lines.pipeThrough(new CompressionStream('gzip'))) await write(chunk)
  })
}

/** The lines of a dump, in chunks. */
async function* chunksOf(
  queries: Queries,
  dumped: readonly TableUse[],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const sum = new Bun.CryptoHasher('sha256')
  const rows: Record<string, number> = {}
  const tables = await readShapes(queries, dumped)

  const { at } = await oneRowOf<{ at: string }>(queries, sql`select to_json(transaction_timestamp()) as at`)
  const migrations = await seenMigrations(queries)
  yield bytesOf([{ format: dumpFormat, version: dumpVersion, migrations, at } satisfies DumpHeader])
  for (const table of tables) {
    rows[table.name] = 0
    yield bytesOf([{ table: table.name, columns: table.columns } satisfies DumpSection])
    for await (const lines of rowsOfTable(queries, table)) {
      rows[table.name] = (rows[table.name] ?? 0) + lines.length
      yield bytesOf(lines)
    }
    yield bytesOf([''])
  }
  // Sequences are not part of a snapshot: these values are at or above every id in it.
  yield bytesOf([await readSequences(queries, tables)])
  yield bytesOf([{ rows, sha256: sum.digest('hex') } satisfies DumpSums])

  function bytesOf(lines: readonly (string | object)[]): Uint8Array<ArrayBuffer> {
    const texts = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    const bytes = new TextEncoder().encode(texts.join(''))
    sum.update(bytes)
    return bytes
  }
}

/** A table's rows as JSON, in the order of its key. */
async function* rowsOfTable(queries: Queries, { name, key }: TableShape): AsyncGenerator<readonly string[]> {
  await queries.execute(sql`
    declare dumped no scroll cursor for
    select row_to_json(t)::text as line from (select * from ${tableOf(name)} order by ${identifiers(key)}) t`)
  let rows: readonly { line: string }[]
  do {
    rows = await rowsOf(queries, sql.raw(`fetch ${rowsAtOnce} from dumped`))
    if (rows.length > 0) yield rows.map(({ line }) => line)
  } while (rows.length === rowsAtOnce)
  await queries.execute(sql`close dumped`)
}

async function readSequences(queries: Queries, tables: readonly TableShape[]): Promise<DumpSequences> {
  const sequences: Record<string, number> = {}
  for (const { sequence } of tables) {
    if (sequence === null) continue
    const { last } = await oneRowOf<{ last: number }>(
      queries,
      sql`select case when is_called then last_value else 0 end as last from public.${sql.identifier(sequence)}`,
    )
    sequences[sequence] = last
  }
  return { sequences }
}
