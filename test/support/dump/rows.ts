import { sql } from 'drizzle-orm'
import type { Db } from '../../../src/database/db.ts'
import { facetLists } from '../../../src/domain/feed/facets.ts'
import { releaseFields } from '../../../src/domain/release/release.ts'
import { dumpedTables, query } from '../database.ts'

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
  const instant = new Date(Date.UTC(2026, 0, 1) + n * 86_461_001).toISOString().replace('Z', '987Z')
  switch (type) {
    case 'int8':
      // Ids, and references to ids. Withdrawals share the sequence of deployments.
      return name === 'id' && table === 'withdrawals' ? n + 1_000_000 : n + 1
    case 'int2':
    case 'int4':
      return (n * 7919) % 30_000
    case 'text':
      return textOf({ name, table }, n)
    case '_text':
      return listOf(name, n)
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

/** As nasty as a restore lets it be. */
function textOf({ name, table }: Pick<Column, 'name' | 'table'>, n: number): string | null {
  const isEven = n % 2 === 0
  const text = `${nasty[n % nasty.length]}${n}`
  const ofTable: Readonly<Record<string, string | null>> = {
    'intakes.id': String(n).padStart(22, 'i'),
    'intakes.secret': String(n).padStart(43, 's'),
    'tokens.name': `é ${n}`,
    'reports.reason': 'spam',
    'webhooks.url': `https://example.com/?q=${encodeURIComponent(text)}`,
    'deployments.category': isEven ? 'bug_fix' : null,
  }
  const ofColumn: Readonly<Record<string, string | null>> = {
    ...Object.fromEntries(releaseFields.map((field) => [field, `${field}-${n}`])),
    username: `user-${n}`,
    password_hash: `$argon2id$v=19$m=19456,t=2,p=1$${'s'.repeat(43)}$${String(n).padStart(43, 'h')}`,
    name: `“é” <b> 漢 ${n}`,
    posted_as: `“é” <b> 漢 ${n}`,
    token: `é ${n}`,
    hash: String(n).padStart(64, 'a'),
    last_four: String(n).padStart(4, 'z').slice(-4),
    issuer: `https://issuer-${n}.example`,
    jti: `_${n}`,
    environment: `Prod/${n}`,
    version: isEven ? null : `v é ${n}`,
    commit: String(n).padStart(40, 'F'),
    environment_url: `https://example.com/${n}`,
    scope: `example.com/%e9/${n}`,
    target: `example.com/%e9/${n}`,
    spelling: `example.com/%e8/${n}`,
    url: n % 5 === 0 ? null : `https://example.com/?q=${encodeURIComponent(text)}#é`,
    text: `é, 🚀 \ufeff "\\" ${n}`,
    format: isEven ? 'slack' : 'standard',
    secret: isEven ? null : `whsec_${String(n).padStart(43, '/')}=`,
    old_secret: isEven ? null : `whsec_${String(n).padStart(43, '+')}=`,
    message_id: `msg_${n}`,
    body: JSON.stringify({ text }),
    intake_id: String(n).padStart(22, 'i'),
    kind: 'forgejo',
    outcome: isEven ? 'waiting' : 'announced',
    waiting: isEven ? JSON.stringify({ message: `x${text}`, url: null, category: null }) : null,
    // These may have control characters.
    ...{ message: text, reason: text, about: text, device: text },
  }
  const found = {
    ...ofColumn,
    ...(`${table}.${name}` in ofTable ? { [name]: ofTable[`${table}.${name}`] } : {}),
  }
  return Object.hasOwn(found, name) ? (found[name] ?? null) : text.replace(/\p{Cc}/gu, '')
}

function listOf(name: string, n: number): readonly (string | null)[] | null {
  const lists: Readonly<Record<string, readonly (string | null)[] | null>> = {
    ...Object.fromEntries(facetLists.map((list) => [list, [`${list}-${n}`]])),
    scopes: ['', 'example.com', `example.com/%e9/${n}`],
    targets: [`example.com/%e9/${n}`],
    environments: ['production', `prod/${n}`],
    environment_order: n % 2 === 0 ? null : ['qa', `prod/${n}`],
    categories: ['bug_fix', 'feature'],
    workflows: [`Deploy-${n}.yml`],
    verified: n % 2 === 0 ? null : [`https://issuer-${n}.example`, 'ada/é', null],
    may: n % 2 === 0 ? ['announce', 'read'] : [],
  }
  if (!Object.hasOwn(lists, name)) throw new Error(`Say what list to put into ${name}`)
  return lists[name] ?? null
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
