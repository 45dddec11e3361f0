import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { DumpRefused } from '../../../src/capabilities/backups/read.ts'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import type { Db } from '../../../src/database/db.ts'
import { tables } from '../../../src/table-uses.ts'
import { dumpedTables, emptyDatabase, openTestDatabase, query } from '../../support/database.ts'
import { dumpOf, fileOf, linesOf, streamOf } from '../../support/dump/dumps.ts'
import { changing, summed, withValue } from '../../support/dump/forgeries.ts'
import { contentsOf, fillTables } from '../../support/dump/rows.ts'

type Forged = readonly [column: string, values: readonly unknown[]]

const escaping = 'Ada \u001b]0;owned\u0007'
const turned = 'Ada \u202e'
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
const hashOf = (cost: string) => `$argon2id$v=19$${cost}$${'s'.repeat(43)}$${'h'.repeat(43)}`
const notNames = ['', ' ', escaping, turned, 'a\nb', 'n'.repeat(61), `a${'\u0301'.repeat(5)}`, null, 7]

/** Values that no form and no call of the API takes, in one row of a dump whose sums are right. */
const forged: readonly Forged[] = [
  ['users.username', ['Ada', 'a/b', '~', 'ada-', 'a'.repeat(40)]],
  ['users.name', notNames],
  [
    'users.password_hash',
    ['x', ...['m=77825,t=2,p=1', 'm=19456,t=9,p=1', 'm=19456,t=2,p=5', 'm=4000000,t=100,p=1'].map(hashOf)],
  ],
  ['users.environment_order', [['Production'], ['a b'], Array(51).fill('qa')]],
  ['retired_usernames.username', ['<b>']],
  ['password_links.username', ['~1']],
  ['deployments.message', ['', '\u202e \n', `${'m'.repeat(4_095)}é`, null]],
  [
    'deployments.url',
    ['javascript:alert(1)', 'ftp://a.example', 'https://', 'https://a.example/\u202e \u0007', ''].concat(
      `https://a.example/${'a'.repeat(2_031)}`,
    ),
  ],
  ['deployments.category', ['constructor']],
  ['deployments.environment', ['<b>"\u001b[31m', 'a b', '', 'e'.repeat(65)]],
  ['deployments.version', [escaping, turned, '', 'v'.repeat(129)]],
  ['deployments.commit', ['f95f85', 'g'.repeat(7), 'f'.repeat(65), '']],
  ['deployments.project', ['', '../a', 'a/b/c/d', 'a'.repeat(101)]],
  ['deployments.actor', ['a@b.example', escaping, turned, 'a'.repeat(61)]],
  ['deployments.environment_url', ['javascript:alert(1)', `https://a.example/${'a'.repeat(2_031)}`]],
  ['deployments.scopes', [['a b'], ['é'], Array(17).fill('a.example'), 'a.example', null]],
  ['deployments.target', ['a\u001b', 'a'.repeat(513)]],
  ['deployments.idempotency_key', ['k\u0007', 'k'.repeat(4_097)]],
  ['deployments.posted_as', notNames.filter((name) => name !== null)],
  ['deployments.token', ['t'.repeat(41), escaping]],
  ['deployments.verified', [Array(4).fill('a'), [escaping]]],
  ['reports.reason', ['constructor', escaping]],
  ['reports.text', [escaping, turned, 'a\nb', '', 'r'.repeat(501)]],
  ['tokens.hash', ['abc', 'A'.repeat(64)]],
  ['tokens.name', ['n'.repeat(41), turned]],
  ['tokens.may', [['announce', 'all'], ['announce', null], Array(5).fill('read')]],
  ['tokens.targets', [['a b'], Array(51).fill('a.example')]],
  ['tokens.environments', [['Production'], ['a b']]],
  ['tokens.last_used_from', ['s'.repeat(82), escaping]],
  ['publishers.issuer', ['javascript:alert(1)', 'https://a b']],
  ['publishers.repository', [escaping, 'r'.repeat(256)]],
  ['used_jtis.jti', ['', 'é', 'j'.repeat(256)]],
  ['sessions.device', ['u'.repeat(256)]],
  ['refusals.reason', ['r'.repeat(4_097), null]],
  ['webhooks.url', ['ftp://a.example', 'https://ada:secret@a.example/', '']],
  ['webhooks.format', ['constructor']],
  ['webhooks.old_secret', ['', 'whsec_!', secretOf(31)]],
  ['webhooks.categories', [['constructor'], Array(5).fill('bug_fix')]],
  ['deliveries.body', ['{', '']],
  ['deliveries.message_id', ['', 'msg\n1']],
  ['intakes.id', ['', '../etc', 'i'.repeat(23)]],
  ['intakes.secret', ['', 's'.repeat(42), null]],
  ['intakes.workflows', [['../deploy.yml'], Array(51).fill('deploy.yml')]],
  ['intake_calls.outcome', ['constructor']],
  ['intake_calls.waiting', ['{}', 'null', '{']],
]

/** Values at the edge of what is taken. */
const allowed: readonly Forged[] = [
  ['webhooks.categories', [Array(4).fill('bug_fix')]],
  ['users.username', [`a-${'b'.repeat(37)}`, '~999999999999999']],
  ['users.name', ['n'.repeat(60), '🚀'.repeat(60), `a${'\u0301'.repeat(4)}`]],
  ['users.password_hash', [hashOf('m=77824,t=8,p=4'), '']],
  ['users.environment_order', [Array(50).fill('e'.repeat(64))]],
  ['deployments.message', ['m'.repeat(4_096), '\u001b[31m', '\u202ea']],
  ['deployments.url', ['HTTP://a.example:1/?a=%00#b', `https://a.example/${'a'.repeat(2_030)}`]],
  ['deployments.environment', ['e'.repeat(64)]],
  ['deployments.version', ['v'.repeat(128)]],
  ['deployments.commit', ['F95F852', 'f'.repeat(64)]],
  ['deployments.project', ['a'.repeat(100), '@a/_b/C.d~e+f-']],
  ['deployments.actor', ['🚀'.repeat(60)]],
  ['deployments.environment_url', [`https://a.example/${'a'.repeat(2_030)}`]],
  ['deployments.scopes', [['', ...Array.from({ length: 15 }, (_, n) => `${n}.example`)]]],
  ['deployments.idempotency_key', ['history\tv1@a.example']],
  ['reports.text', ['r'.repeat(500)]],
  ['tokens.last_used_from', ['s'.repeat(81)]],
  // Escapes make an address longer than one that may be typed.
  ['webhooks.url', [`https://a.example/?${'%C3%A9'.repeat(600)}`]],
  ['intakes.workflows', [Array(50).fill('Deploy.yml')]],
]

describe('A restore takes only what forms and calls take', () => {
  let db: Db
  let lines: string[]
  beforeAll(async () => {
    db = await openTestDatabase()
    await fillTables(db, 2)
    lines = linesOf(await dumpOf(db))
    await emptyTables()
  })
  beforeEach(() => emptyDatabase(db))
  afterAll(() => db.close())

  test.each(forged)('and refuses other values of %s', async (name, values) => {
    const [table = '', column = ''] = name.split('.')
    for (const value of values) await refuses(withValue(table, column, value), table, column)
  })

  test.each(allowed)('with the longest values of %s', async (name, values) => {
    const [table = '', column = ''] = name.split('.')
    for (const value of values) {
      await restoreDump(db, tables, streamOf(fileOf(summed(withValue(table, column, value)([...lines])))))
      await emptyTables()
    }
  })

  test('and the secret of a webhook as its format wants it', async () => {
    for (const [format, secret] of [
      ['standard', null],
      ['standard', ''],
      ['standard', 'whsec_not base64'],
      ['standard', secretOf(31)],
      ['slack', 'a'],
      ['matrix', null],
      ['matrix', 'a b'],
      ['matrix', 't'.repeat(501)],
    ]) {
      const change = changing('webhooks', (row) => JSON.stringify({ ...JSON.parse(row), format, secret }))
      await refuses(change, 'webhooks', 'secret')
    }
    for (const [format, secret] of [
      ['standard', secretOf(32)],
      ['discord', null],
      ['matrix', 't'.repeat(500)],
      ['ntfy', null],
    ]) {
      const change = changing('webhooks', (row) => JSON.stringify({ ...JSON.parse(row), format, secret }))
      await restoreDump(db, tables, streamOf(fileOf(summed(change([...lines])))))
      await emptyTables()
    }
  })

  test('and no text and no list without an end, whichever column it is in', async () => {
    const columns = await query<{ table: string; name: string; isList: boolean }>(
      db,
      sql`
        select table_name as table, column_name as name, udt_name <> 'text' as "isList"
        from information_schema.columns
        where table_schema = 'public' and udt_name in ('text', '_text')`,
    )
    const dumped = columns.filter(({ table, name }) => {
      // A foreign key refuses the id of an intake.
      return name !== 'intake_id' && dumpedTables.some((one) => one === table)
    })
    expect(dumped.length).toBeGreaterThan(70)
    for (const { table, name, isList } of dumped) {
      for (const value of isList
        ? [['x'.repeat(200_000)], Array(1_000).fill('announce')]
        : ['x'.repeat(200_000)])
        await refuses(withValue(table, name, value), table, name)
    }
  })

  async function refuses(change: (lines: string[]) => string[], table: string, column: string) {
    const line = lines.findIndex((one) => one.startsWith(`{"table":"${table}"`)) + 2
    const restoring = restoreDump(db, tables, streamOf(fileOf(summed(change([...lines])))))
    const error = await restoring.catch((error: unknown) => error)
    expect(error).toBeInstanceOf(DumpRefused)
    const { message } = error as DumpRefused
    expect(message).toStartWith(
      `its line ${line}, a row of ${table}, was altered or breaks a rule (${column} `,
    )
    expect(message).toEndWith('and dump it again')
    expect(message).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    expect(Object.values(await contentsOf(db)).every((table) => table.rows === 0)).toBe(true)
  }

  async function emptyTables(): Promise<void> {
    for (const table of dumpedTables) await query(db, sql`truncate ${sql.identifier(table)} cascade`)
  }
})
