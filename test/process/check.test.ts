import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { counting, countScopes } from '../../src/data/statements.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase, query } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { endOf, freePort, startProcess, temporaryDirectory } from '../support/process.ts'
import { formerHashes } from '../support/release/former.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

const operations = join(import.meta.dir, '../../docs/operations.md')

const check = (environment: Record<string, string>) =>
  endOf(startProcess(environment, 'src/main.ts', 'check'))

test('before the first start there is nothing wrong, and nothing is made', async () => {
  const dataDir = join(directory.path, 'data')
  const { code, output } = await check({ DATA_DIR: dataDir })
  expect(output).toMatch(/^ok {5}database {4}there is none yet/m)
  expect(output).not.toContain('WRONG')
  expect(code).toBe(0)
  expect(existsSync(dataDir)).toBe(false)
})

test('after a first start that was interrupted, nothing is made in the empty folder that it left', async () => {
  const dataDir = join(directory.path, 'interrupted')
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  const { code, output } = await check({ DATA_DIR: dataDir })
  expect(output).toMatch(/^ok {5}database {4}there is none yet/m)
  expect(code).toBe(0)
  expect(readdirSync(dataDir, { recursive: true })).toEqual(['postgres'])
})

test.each([
  ['settings', { PORT: 'http' }, 'PORT is "http"'],
  ['database', { DATABASE_URL: `postgres://ada:open-sesame@127.0.0.1:${freePort()}/d` }, 'ECONNREFUSED'],
])(
  'wrong %s are told, without waiting and without a secret, and it exits with 1',
  async (about, environment, reason) => {
    const { code, output } = await check(environment)
    expect(output.split('\n').filter((line) => line.startsWith('WRONG'))).toEqual([
      expect.stringMatching(new RegExp(`^WRONG  ${about} +.*${reason}`)),
    ])
    expect(output).not.toContain('open-sesame')
    expect(output).toEndWith('Shipfeed check: 1 check failed\n')
    expect(code).toBe(1)
  },
)

test('a schema that is missing, older, newer or from before 1.0.0 is reported, and left as it is', async () => {
  const { url, drop } = await createPostgresDatabase()
  expect((await check({ DATABASE_URL: url })).output).toMatch(/^ok {5}schema {6}there is none yet/m)
  const db = await openPostgres(url)
  await db.migrated
  const journal = sql`drizzle.__drizzle_migrations`
  await query(db, sql`insert into ${journal} (hash, created_at) values ('x', 9000000000000)`)
  expect((await check({ DATABASE_URL: url })).output).toMatch(
    /^WRONG {2}schema {6}belongs to a newer version/m,
  )
  await query(db, sql`delete from ${journal} where id >= 3`)
  expect((await check({ DATABASE_URL: url })).output).toMatch(
    /^WRONG {2}schema {6}belongs to an older version/m,
  )
  const [row] = await query<{ run: number }>(db, sql`select count(*)::int as run from ${journal}`)
  expect(row?.run).toBe(2)
  await query(db, sql`update ${journal} set hash = ${formerHashes(0)[0]}`)
  expect((await check({ DATABASE_URL: url })).output).toMatch(/^WRONG {2}schema {6}is from before 1\.0\.0/m)
  await db.close()
  await drop()
})

test('with no settings but DATA_DIR, it knows those of the service, and how old the newest backup is', async () => {
  const dataDir = join(directory.path, 'served')
  const settings = {
    BASE_URL: 'https://ship.example',
    WEBHOOKS: 'public',
    STREAMS_MAX: '12',
    BACKUP_EVERY: '24h',
  }
  const service = startProcess({ DATA_DIR: dataDir, ...settings })
  await eventually('a backup is made', () => service.output().includes('backup_made'))
  const checked = async () => (await check({ DATA_DIR: dataDir, BASE_URL: 'http://localhost:3000' })).output
  const right = await checked()
  expect(right).toMatch(/^ok {5}service {5}BASE_URL is https:\/\/ship\.example$/m)
  expect(right).toMatch(/^ok {5}webhooks {4}0 send, 0 are paused$/m)
  expect(right).toMatch(/^ok {5}open files {2}enough for STREAMS_MAX 12 open feeds$/m)
  expect(right).toMatch(/^ok {5}backup {6}the newest in DATA_DIR\/backups is seconds old$/m)

  const backups = join(dataDir, 'backups')
  const [made = ''] = readdirSync(backups)
  renameSync(join(backups, made), join(backups, '2026-01-01T00-00-00Z.dump'))
  const wrong = /^WRONG {2}backup {6}the newest in DATA_DIR\/backups is \d+ .* old: look for `backup_failed`/m
  expect(await checked()).toMatch(wrong)
  rmSync(backups, { recursive: true })
  expect(await checked()).toMatch(/^WRONG {2}backup {6}there is none in DATA_DIR\/backups: look/m)
  service.child.kill('SIGTERM')
  await endOf(service)
})

test('the documents show its lines', async () => {
  const { url, drop } = await createPostgresDatabase()
  const service = startProcess({ DATABASE_URL: url })
  await service.url
  await eventually('it is migrated', () => service.output().includes('Open http'))
  const aboutOf = (lines: string) => lines.match(/(?<=^(?:ok {3}|WRONG) {2})\S+(?: \S+)?(?= {2})/gm)
  expect(aboutOf(readFileSync(operations, 'utf8'))).toEqual(
    aboutOf((await check({ DATABASE_URL: url })).output),
  )
  service.child.kill('SIGTERM')
  await endOf(service)
  await drop()
})

test('a table that does not agree with the deployments is told', async () => {
  const { url, drop } = await createPostgresDatabase()
  const db = await openPostgres(url)
  await db.migrated
  await query(db, sql`insert into users (username, name, password_hash) values ('ada', 'Ada', 'x')`)
  await query(
    db,
    sql`
        with made as (
          insert into deployments (user_id, message, url, scopes, target, target_rule, deployed_at)
          -- Of one day, at any hour of the present one.
          select 1, 'A', 'https://a.example', array['', 'a.example'], 'a.example', 3,
            date_trunc('day', now(), 'UTC') - n * interval '1 hour'
          from generate_series(1, 3) n returning *
        )
        ${counting(sql`made`)}`,
  )
  const counts = async () =>
    (await check({ DATABASE_URL: url })).output.match(/^(ok {3}|WRONG) {2}counts .*$/m)?.[0]
  expect(await counts()).toStartWith('ok')
  for (const [change, table] of [
    [
      "update latest_deployments set deployed_at = deployed_at + interval '1 second' where scope = ''",
      'latest_deployments',
    ],
    ["insert into target_scopes values (1, 'other.example', 'a.example')", 'target_scopes'],
    ['delete from targets', 'targets'],
    ['update target_days set deployments = deployments + 1', 'target_days'],
    ['update daily_deployments set deployments = 4', 'daily_deployments'],
  ] as const) {
    await query(db, sql.raw(change))
    expect(await counts()).toContain(`${table} disagrees with the deployments of ada (rows: 1)`)
    await query(db, sql`delete from target_scopes where scope = 'other.example'`)
    await query(db, sql`delete from latest_deployments`)
    await query(db, sql`delete from targets`)
    await query(db, sql`select ${countScopes(sql`array(select id from deployments)`)}`)
    await query(
      db,
      sql`
        update target_days t set deployments = (
          select count(*) from deployments where utc_day(deployed_at) = t.day
        )`,
    )
  }
  await db.close()
  await drop()
})
