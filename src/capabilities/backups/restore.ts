import { getTableName, sql } from 'drizzle-orm'
import type { ColumnRules } from '../../data/table-uses/column-rules.ts'
import { identifiers, readShapes, type TableShape, tableOf } from '../../data/table-uses/table-shape.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import { ringBell } from '../../database/bell.ts'
import { type Db, type Queries, rowsOf } from '../../database/db.ts'
import { codeOf, messageOf } from '../../database/errors.ts'
import { lockFeed } from '../../database/locks.ts'
import { checkedRow } from './checked-row.ts'
import type { DumpSection, DumpSequences, DumpSums } from './format.ts'
import { type DumpReader, DumpRefused, NotEmpty, openDump, refuseForeign, rowAdvice } from './read.ts'

type RestoreOptions = {
  /** Called before the rows of each table. */
  readonly onTable?: (name: string) => void
  /** Whether this database takes the place of the dumped one for good. If not, what both would do is paused. */
  readonly isMove?: boolean
}

/**
 * Reads a dump into an empty database, in one transaction, and gives the numbers of the rows. Throws DumpRefused
 * (docs/operations.md#restore).
 */
export async function restoreDump(
  db: Db,
  tables: readonly TableUse[],
  bytes: ReadableStream<Uint8Array>,
  { onTable, isMove = false }: RestoreOptions = {},
): Promise<Readonly<Record<string, number>>> {
  return await db.writeAtLength(async (transaction) => {
    const shapes = await readShapes(transaction, tables)
    const rulesOf = new Map(tables.map(({ table, rules = {} }) => [getTableName(table), rules]))
    await takeEmpty(transaction, shapes)
    const dump = openDump(bytes)
    await refuseForeign(transaction, await dump.read())
    let section = await dump.read<DumpSection & DumpSequences>()
    for (const table of shapes) {
      // An older dump has no section for a table that was added since. If a section was cut out, the sums differ.
      if (section.table !== table.name) continue
      onTable?.(table.name)
      await fillTable(transaction, { table, rules: rulesOf.get(table.name) ?? {}, section, dump })
      section = await dump.read()
    }
    const found = { rows: dump.rows, sha256: dump.sum() }
    const stated = await dump.read<DumpSums>()
    if (!Bun.deepEquals(found, stated) || !(await dump.isAtEnd())) throw new DumpRefused('it was altered')
    await setSequences(transaction, shapes, section.sequences)
    await transaction.execute(stampUsers)
    // The service of the dump may go on, and would send the same.
    const pauses = tables.flatMap(
      ({ pausing }) => pausing?.(sql`true`, 'it was restored from a backup') ?? [],
    )
    if (!isMove) for (const pause of pauses) await transaction.execute(pause)
    for (const { name } of shapes) await transaction.execute(sql`analyze ${tableOf(name)}`)
    await transaction.execute(ringBell)
    return dump.rows
  })
}

/** Throws DumpRefused if a table has rows, and prevents other writes. */
async function takeEmpty(transaction: Queries, tables: readonly TableShape[]): Promise<void> {
  await lockFeed(transaction)
  const all = sql.join(
    tables.map(({ name }) => tableOf(name)),
    sql`, `,
  )
  await transaction.execute(sql`lock table ${all} in share row exclusive mode`)
  const probes = tables.map(
    ({ name }) => sql`select ${name}::text as name where exists (select from ${tableOf(name)})`,
  )
  const [filled] = await rowsOf<{ name: string }>(transaction, sql.join(probes, sql` union all `))
  if (filled !== undefined) {
    throw new NotEmpty(
      `the database is not empty (the table ${filled.name} has rows): restore into a new one, with another DATA_DIR or DATABASE_URL`,
    )
  }
}

type Filling = {
  table: TableShape
  rules: ColumnRules
  section: Partial<DumpSection>
  dump: DumpReader
}

/** SQLSTATE classes for a row that does not fit its table: data, constraints, and limits of indexes. */
const misfit = /^(22|23|54)...$/

async function fillTable(transaction: Queries, { table, rules, section, dump }: Filling): Promise<void> {
  const { name } = table
  const { columns } = section
  const isKnown =
    Array.isArray(columns) &&
    new Set(columns).size === columns.length &&
    columns.length > 0 &&
    columns.every((column) => table.columns.includes(column))
  if (!isKnown) throw new DumpRefused('it was altered')
  const into = tableOf(name)
  const list = identifiers(columns)
  for await (const rows of dump.rowsOf(name)) {
    const json = `[${rows.map((row) => checkedRow(row, { name, rules, columns })).join(',')}]`
    const lines = `lines ${rows[0]?.line} to ${rows.at(-1)?.line}`
    const insert = sql`
      insert into ${into} (${list}) select ${list} from json_populate_recordset(null::${into}, ${json}::json)`
    await transaction.execute(insert).catch((error: unknown) => {
      if (!misfit.test(codeOf(error) ?? '')) throw error
      throw new DumpRefused(
        `it was altered: ${name} cannot hold a row in ${lines} of it (${messageOf(error)}): ${rowAdvice}`,
      )
    })
  }
}

/** Ids have at most 15 digits in addresses. Above this one, there would be too little room for new ids. */
const maxLast = 1e14

/** Continues each sequence after the last id of the dumped database, so that no id is ever used twice. */
async function setSequences(
  transaction: Queries,
  tables: readonly TableShape[],
  sequences: Partial<DumpSequences>['sequences'],
): Promise<void> {
  const lastOf: Readonly<Record<string, unknown>> = Object(sequences)
  for (const { sequence } of tables) {
    if (sequence === null) continue
    const { [sequence]: last = 0 } = lastOf
    if (typeof last !== 'number' || !Number.isSafeInteger(last) || last < 0 || last > maxLast) {
      throw new DumpRefused(`it was altered: the last id of ${sequence} is impossible`)
    }
    if (last > 0)
      await transaction.execute(sql`select setval(${`public.${sequence}`}::regclass, ${last}::bigint)`)
  }
}

/** So that no process sends a page that it kept before the restore (docs/architecture.md#kept-pages). */
const stampUsers = sql`
  insert into user_stamps (user_id, stamp) select id, gen_random_uuid() from users
  on conflict (user_id) do update set stamp = excluded.stamp`
