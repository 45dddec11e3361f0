import { sql } from 'drizzle-orm'
import { dumpedTables } from '../../../src/data/dump/format-and-tables.ts'
import type { Db } from '../../../src/database/db.ts'
import { query } from '../database.ts'

/** Texts that formats stumble over. */
const nasty = [
  '',
  ' ',
  'a\nb\r\n\n\tc',
  '"\\"',
  "'; drop table users; --",
  '\u2028\u2029\u0085',
  '\ufeffwith a mark',
  '\u0001\u001f\u007f',
  'null',
  '{"table":"users"}',
  '\\N \\u0000 \\x41',
  '🚀👩‍👩‍👧 \u{10ffff} \uffff',
  'é, e\u0301',
  '\u202eright to left',
  '%s $1 {{y}}',
]

type Column = { readonly table: string; readonly name: string; readonly type: string }

/** Gives every table this many rows, with a value in every column. */
export async function fillTables(db: Db, count: number): Promise<void> {
  const columns = await query<Column>(
    db,
    sql`
      select table_name as table, column_name as name, udt_name as type
      from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER'
      order by ordinal_position`,
  )
  for (const table of dumpedTables) {
    const rows = Array.from({ length: count }, (_, n) =>
      Object.fromEntries(
        columns
          .filter((column) => column.table === table)
          .map((column) => [column.name, someValue(column, n)]),
      ),
    )
    const into = sql.identifier(table)
    await query(
      db,
      sql`insert into ${into} select * from json_populate_recordset(null::${into}, ${JSON.stringify(rows)}::json)`,
    )
  }
}

function someValue({ name, type, table }: Column, n: number): unknown {
  const text = `${nasty[n % nasty.length]}${n >= nasty.length || name !== 'message' ? n : ''}`
  const checked = checkedText({ name, table }, n, text)
  if (checked !== undefined) return checked
  const instant = new Date(Date.UTC(2026, 0, 1) + n * 86_461_001).toISOString().replace('Z', '987Z')
  switch (type) {
    case 'int8':
      // Ids, and references to ids. Withdrawals share the sequence of deployments.
      return name === 'id' && table === 'withdrawals' ? n + 1_000_000 : n + 1
    case 'int2':
    case 'int4':
      return (n * 7919) % 30_000
    case 'text':
      return text
    case '_text':
      return [text, ...nasty]
    case 'timestamptz':
      return n % 3 === 0 ? '0044-03-15 12:00:00.000001+00 BC' : instant
    case '_timestamptz':
      return [instant, '2026-11-22T00:00:00.5+05:30']
    case 'date':
      return instant.slice(0, 10)
    case 'bool':
      return n % 2 === 0
    default:
      throw new Error(`Say what to put into ${table}.${name}, which is ${type}`)
  }
}

/** A column that restore checks cannot have just any text. */
function checkedText(
  { name, table }: Pick<Column, 'name' | 'table'>,
  n: number,
  text: string,
): string | string[] | null | undefined {
  if (table === 'tokens' && name === 'name') return `é ${n}`
  switch (name) {
    case 'username':
      return `user-${n}`
    case 'password_hash':
      return `$argon2id$v=19$m=19456,t=2,p=1$${'s'.repeat(43)}$${String(n).padStart(43, 'h')}`
    case 'url':
      return n % 5 === 0 && table !== 'webhooks'
        ? null
        : `https://example.com/?q=${encodeURIComponent(text)}#é`
    case 'format':
      return 'slack'
    case 'may':
      return n % 2 === 0 ? ['announce', 'read'] : []
    case 'kind':
      return 'forgejo'
    case 'outcome':
      return n % 2 === 0 ? 'waiting' : 'announced'
    case 'waiting':
      return n % 2 === 0 ? JSON.stringify({ message: `x${text}`, url: null, category: null }) : null
    case 'category':
      return table === 'deployments' && n % 2 === 0 ? 'bug_fix' : null
    default:
      return undefined
  }
}

/** The number of rows and a digest of every table, which are turned into text in another way than by a dump. */
export async function contentsOf(db: Db): Promise<Record<string, { rows: number; digest: string }>> {
  const found = await query<{ name: string; rows: number; digest: string }>(
    db,
    sql.join(
      dumpedTables.map(
        (name) => sql`
          select ${name}::text as name, count(*)::int as rows,
            md5(string_agg(md5(t::text), '' order by t::text collate "C")) as digest
          from ${sql.identifier(name)} t`,
      ),
      sql` union all `,
    ),
  )
  return Object.fromEntries(found.map(({ name, ...contents }) => [name, contents]))
}
