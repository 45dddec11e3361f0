import { sql } from 'drizzle-orm'
import { ringBell } from '../../database/bell.ts'
import { type Db, type Queries, rowsOf } from '../../database/db.ts'
import { codeOf, messageOf } from '../../database/errors.ts'
import { lockFeed } from '../../database/locks-and-pacing.ts'
import { isTokenRight, tokenNameReasons } from '../../domain/account/token-rights.ts'
import { usernameOf } from '../../domain/account/user.ts'
import { parseAnnouncement } from '../../domain/announcement-fields-and-idempotency-key.ts'
import { isCategory } from '../../domain/category.ts'
import { isCallOutcome, isIntakeKind } from '../../domain/intake/intake.ts'
import { parseWebhookUrl } from '../../domain/webhook/address.ts'
import { isWebhookFormat } from '../../domain/webhook/webhook.ts'
import { isAffordable } from '../account/passwords.ts'
import { pauseWebhooks } from '../webhooks/settings.ts'
import {
  type DumpedTable,
  type DumpSection,
  type DumpSequences,
  type DumpSums,
  identifiers,
  readTables,
  tableOf,
} from './format-and-tables.ts'
import { type DumpReader, DumpRefused, NotEmpty, openDump, refuseForeign } from './read.ts'

type RestoreOptions = {
  /** Called before the rows of each table. */
  readonly onTable?: (name: string) => void
  /** Whether this database takes the place of the dumped one for good. If not, both might send webhooks. */
  readonly isMove?: boolean
}

/**
 * Reads a dump into an empty database, in one transaction, and gives the numbers of the rows. Throws DumpRefused
 * (docs/decisions.md#operation).
 */
export async function restoreDump(
  db: Db,
  bytes: ReadableStream<Uint8Array>,
  { onTable, isMove = false }: RestoreOptions = {},
): Promise<Readonly<Record<string, number>>> {
  return await db.writeAtLength(async (transaction) => {
    const tables = await readTables(transaction)
    await takeEmpty(transaction, tables)
    const dump = openDump(bytes)
    await refuseForeign(transaction, await dump.read())
    let section = await dump.read<DumpSection & DumpSequences>()
    for (const table of tables) {
      // An older dump has no section for a table that was added since. If a section was cut out, the sums differ.
      if (section.table !== table.name) continue
      onTable?.(table.name)
      await fillTable(transaction, { table, section, dump })
      section = await dump.read()
    }
    const found = { rows: dump.rows, sha256: dump.sum() }
    const stated = await dump.read<DumpSums>()
    if (!Bun.deepEquals(found, stated) || !(await dump.isAtEnd())) throw new DumpRefused('it was altered')
    await setSequences(transaction, tables, section.sequences)
    await transaction.execute(stampUsers)
    if (!isMove) await pauseWebhooks(transaction, 'it was restored from a backup')
    for (const { name } of tables) await transaction.execute(sql`analyze ${tableOf(name)}`)
    await transaction.execute(ringBell)
    return dump.rows
  })
}

/** Throws DumpRefused if a table has rows, and prevents other writes. */
async function takeEmpty(transaction: Queries, tables: readonly DumpedTable[]): Promise<void> {
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

type Filling = { table: DumpedTable; section: Partial<DumpSection>; dump: DumpReader }

/** SQLSTATE classes for a row that does not fit its table: data, constraints, and limits of indexes. */
const misfit = /^(22|23|54)...$/

async function fillTable(transaction: Queries, { table, section, dump }: Filling): Promise<void> {
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
    const json = `[${rows.map((row) => checkedRow(row, name, columns)).join(',')}]`
    const insert = sql`
      insert into ${into} (${list}) select ${list} from json_populate_recordset(null::${into}, ${json}::json)`
    await transaction.execute(insert).catch((error: unknown) => {
      if (!misfit.test(codeOf(error) ?? '')) throw error
      throw new DumpRefused(`it was altered: ${name} cannot hold one of its rows (${messageOf(error)})`)
    })
  }
}

/** Ids have at most 15 digits in addresses. Above this one, there would be too little room for new ids. */
const mostLast = 1e14

/** Continues each sequence after the last id of the dumped database, so that no id is ever used twice. */
async function setSequences(
  transaction: Queries,
  tables: readonly DumpedTable[],
  sequences: Partial<DumpSequences>['sequences'],
): Promise<void> {
  const lastOf: Readonly<Record<string, unknown>> = Object(sequences)
  for (const { sequence } of tables) {
    if (sequence === null) continue
    const { [sequence]: last = 0 } = lastOf
    if (typeof last !== 'number' || !Number.isSafeInteger(last) || last < 0 || last > mostLast) {
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

type Check = (value: unknown) => boolean

const text =
  (isRight: (text: string) => boolean): Check =>
  (value) =>
    typeof value === 'string' && isRight(value)

const orNull =
  (isRight: Check): Check =>
  (value) =>
    value === null || isRight(value)

const isUsername = text((value) => usernameOf(value) === value)

/** Checks beyond the types of columns: links and addresses are made from these, and a hash takes time to check. */
const checks: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  // `~` and no password: an account that is being deleted, see deletion.ts.
  users: {
    username: (value) => isUsername(value) || /^~\d{1,15}$/.test(String(value)),
    password_hash: (value) => value === '' || isAffordable(String(value)),
  },
  retired_usernames: { username: isUsername },
  password_links: { username: isUsername },
  tokens: {
    name: text((name) => tokenNameReasons(name).length === 0),
    may: (value) => Array.isArray(value) && value.every(isTokenRight),
  },
  webhooks: {
    url: (value) => parseWebhookUrl(String(value), 'any').outcome === 'valid',
    format: text(isWebhookFormat),
  },
  intakes: { kind: text(isIntakeKind) },
  intake_calls: { outcome: text(isCallOutcome), waiting: orNull(isAnnouncement) },
  deployments: { url: orNull(text(isStoredLink)), category: orNull(text(isCategory)) },
}

/** A row with exactly these columns, written again so that we store what was checked. */
function checkedRow(line: string, table: string, columns: readonly string[]): string {
  const row = parsed(line)
  if (row === null) throw new DumpRefused(`it was altered: a line of ${table} is not a row`)
  const names = Object.keys(row)
  const isWhole = names.length === columns.length && names.every((name) => columns.includes(name))
  if (!isWhole) throw new DumpRefused(`it was altered: a row of ${table} has other columns`)
  const wrong = names.find((name) => !isFlat(row[name]) || checks[table]?.[name]?.(row[name]) === false)
  if (wrong !== undefined) {
    throw new DumpRefused(`it was altered: ${table} cannot hold the ${wrong} of one of its rows`)
  }
  return JSON.stringify(row)
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const row: unknown = JSON.parse(line)
    return row instanceof Object && !Array.isArray(row) ? (row as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** A column holds a text, a boolean, a safe integer, null, or a list of these. */
function isFlat(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isScalar) : isScalar(value)
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isSafeInteger(value)
}

function isAnnouncement(value: unknown): boolean {
  try {
    return parseAnnouncement(JSON.parse(String(value)), { now: new Date(0) }).outcome === 'valid'
  } catch {
    return false
  }
}

/** Less strict than for an announcement, because older versions accepted other links. */
function isStoredLink(link: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(link) && URL.canParse(link)
}
