import { type SQL, sql } from 'drizzle-orm'
import { ringBell } from '../../database/bell.ts'
import type { Db, Queries } from '../../database/db.ts'
import { codeOf, messageOf } from '../../database/errors.ts'
import { lockFeed } from '../../database/locks.ts'
import { rowsOf } from '../../database/sql.ts'
import type { Section, Sequences, Sums } from './format.ts'
import { refuseForeign } from './header.ts'
import { linesOf } from './lines.ts'
import { Reader } from './reader.ts'
import { DumpRefused } from './refused.ts'
import { readTables, type Table } from './tables.ts'

/** The number of rows of each table. */
export type Restored = Readonly<Record<string, number>>

/**
 * Reads a dump into an empty database, in one transaction: after a failure nothing of it is there. `onTable`
 * is called with each table before its rows. Throws DumpRefused.
 */
export async function restoreDump(
  db: Db,
  bytes: ReadableStream<Uint8Array>,
  onTable: (name: string) => void = () => {},
): Promise<Restored> {
  return await db.runAtLength(async (transaction) => {
    const tables = await readTables(transaction)
    await takeEmpty(transaction, tables)
    const dump = new Reader(linesOf(bytes))
    await refuseForeign(transaction, await dump.read())
    let section = await dump.read<Section & Sequences>()
    for (const table of tables) {
      // Of a table that was added since, an older dump has no section; one that was cut out is told by the sums.
      if (section.table !== table.name) continue
      onTable(table.name)
      await fill(transaction, { table, section, dump })
      section = await dump.read()
    }
    const { sequences } = section
    const found = { rows: dump.rows, sha256: dump.sum() }
    const told = await dump.read<Sums>()
    if (!Bun.deepEquals(found, told) || !(await dump.isAtEnd())) throw new DumpRefused('it was altered')
    await setSequences(transaction, tables, sequences)
    for (const { name } of tables) await transaction.execute(sql`analyze public.${sql.identifier(name)}`)
    await transaction.execute(ringBell)
    return dump.rows
  })
}

/** Keeps others from writing until the transaction ends. */
async function takeEmpty(transaction: Queries, tables: readonly Table[]): Promise<void> {
  await lockFeed(transaction)
  const names = tables.map(({ name }) => sql`public.${sql.identifier(name)}`)
  await transaction.execute(sql`lock table ${sql.join(names, sql`, `)} in share row exclusive mode`)
  const probes = tables.map(
    ({ name }) => sql`select ${name}::text as name where exists (select from public.${sql.identifier(name)})`,
  )
  const [filled] = await rowsOf<{ name: string }>(transaction, sql.join(probes, sql` union all `))
  if (filled !== undefined) {
    throw new DumpRefused(
      `the database is not empty (there are ${filled.name}): restore into a new one, with another DATA_DIR or DATABASE_URL`,
    )
  }
}

type Filling = { readonly table: Table; readonly section: Partial<Section>; readonly dump: Reader }

async function fill(transaction: Queries, { table, section, dump }: Filling): Promise<void> {
  const { columns } = section
  const isKnown = Array.isArray(columns) && columns.every((column) => table.columns.includes(column))
  if (!isKnown) throw new DumpRefused('it was altered')
  const into = sql.identifier(table.name)
  const list = sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  )
  for await (const rows of dump.rowsOf(table.name)) {
    const json = `[${rows.join(',')}]`
    await insert(
      transaction,
      table.name,
      sql`
        insert into public.${into} (${list})
        select ${list} from json_populate_recordset(null::public.${into}, ${json}::json)`,
    )
  }
}

/** SQLSTATE classes for a row that fits no table of ours: data, constraints. */
const misfit = /^(22|23)...$/

async function insert(transaction: Queries, table: string, statement: SQL): Promise<void> {
  try {
    await transaction.execute(statement)
  } catch (error) {
    if (!misfit.test(codeOf(error) ?? '')) throw error
    throw new DumpRefused(`it was altered: ${table} cannot hold a row of it (${messageOf(error)})`)
  }
}

/** From above the last id that the dumped database gave, so that none is ever given twice. */
async function setSequences(
  transaction: Queries,
  tables: readonly Table[],
  sequences: Sequences['sequences'] = {},
): Promise<void> {
  for (const { sequence } of tables) {
    const last = sequence === null ? 0 : (sequences[sequence] ?? 0)
    if (last > 0)
      await transaction.execute(sql`select setval(${`public.${sequence}`}::regclass, ${last}::bigint)`)
  }
}
