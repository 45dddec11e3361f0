import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PGlite } from '@electric-sql/pglite'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { listDeployments } from '../../src/data/deployments.ts'
import { eventLog } from '../../src/data/event-log.ts'
import { exportDeployments } from '../../src/data/export.ts'
import { latestDeploymentReader } from '../../src/data/latest-deployments.ts'
import { readOverview } from '../../src/data/overviews.ts'
import { quotaOf } from '../../src/data/rate-limit.ts'
import { recorder } from '../../src/data/recording.ts'
import { listRefusals, refusalRecorder } from '../../src/data/refusals.ts'
import { sessionReader } from '../../src/data/sessions.ts'
import { findUser } from '../../src/data/users.ts'
import { plannerSettings, setPlanner } from '../../src/database/connection.ts'
import type { Db, Queries } from '../../src/database/db.ts'
import { migrate } from '../../src/database/migrations.ts'
import { rowsOf } from '../../src/database/sql.ts'
import { createPostgresDatabase, testDatabaseUrl } from '../support/database.ts'

const users = 10_000
const deployments = 100_000

/** What the service asked its database, with the parameters as the driver got them. */
let asked: { query: string; parameters: unknown[] }[] = []
const logger = {
  logQuery(query: string, parameters: unknown[]) {
    asked.push({ query, parameters })
  },
}

let queries: Queries
let db: Db
let close: () => Promise<void>

beforeAll(async () => {
  ;({ queries, close } = testDatabaseUrl === undefined ? await onPglite() : await onPostgres(testDatabaseUrl))
  db = {
    run: (work) => work(queries),
    migrated: Promise.resolve(),
    hearBell: () => async () => {},
    close: async () => {},
  }
  await fill()
}, 120_000)

afterAll(() => close())

const everyone = { userId: null, category: null, scope: null, before: null }
const somebody = { ...everyone, userId: 7 }

describe(`at ${deployments} deployments, no sequential scan and no sort for`, () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a badge', () => latestDeploymentReader(db)({ username: 'user-7', scope: '' })],
    [
      'a badge with a filter',
      () => latestDeploymentReader(db)({ username: 'user-7', scope: 'github.com/u' }),
    ],
    ['the feed', () => listDeployments(db, everyone)],
    ['an older page of the feed', () => listDeployments(db, { ...everyone, before: 50_000 })],
    ['a category', () => listDeployments(db, { ...everyone, category: 'bug_fix' })],
    ['the owner of a profile', () => findUser(db, 'user-7')],
    ['a profile', () => listDeployments(db, somebody)],
    ['an older page of a profile', () => listDeployments(db, { ...somebody, before: 50_000 })],
    ['a category of a profile', () => listDeployments(db, { ...somebody, category: 'bug_fix' })],
    ['the numbers of a profile', () => readOverview(db, 7)],
    ['a target of a profile', () => listDeployments(db, { ...somebody, scope: 'github.com/u' })],
    ['the tail of the live feed', () => eventLog(db).readAfter(99_000, 500)],
    ['who comes back to the live feed', () => eventLog(db).readLatest(everyone, 99_000, 101)],
    ['who comes back to a live profile', () => eventLog(db).readLatest(somebody, 50_000, 101)],
    ['a chunk of an export', () => exportDeployments(db, 7).next()],
    ['the refused calls of a user', () => listRefusals(db, 7)],
    ['a session', () => sessionReader(db)('secret')],
    ['the quota of a token', () => quotaOf(db, 'hash-7', 60)],
  ])('%s', async (_, ask) => {
    const plans = await plansOf(ask)
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.flatMap(nodesOf).filter(isScanOfAll)).toEqual([])
    expect(plans.flatMap(nodesOf).filter((node) => node['Node Type'] === 'Sort')).toEqual([])
  })

  test('keeping a refused call (which sorts its batch, but nothing that is stored)', async () => {
    const plans = await plansOf(() =>
      refusalRecorder(db)({ tokenHash: 'hash-7', status: 429, reason: 'too often' }),
    )
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.flatMap(nodesOf).filter(isScanOfAll)).toEqual([])
  })

  test('recording an announcement (which sorts its batch, but nothing that is stored)', async () => {
    const announcement = { message: 'fix: it', url: 'https://github.com/u/p/pull/1', category: null }
    const plans = await plansOf(() =>
      recorder(db, 60)({ tokenHash: 'hash-7', announcement, idempotencyKey: 'k' }),
    )
    expect(plans.flatMap(nodesOf).filter(isScanOfAll)).toEqual([])
  })
})

type Node = { 'Node Type': string; 'Relation Name'?: string; Plans?: Node[] }

/** Runs what asks, then has each of its statements on our tables explained. */
async function plansOf(ask: () => Promise<unknown>): Promise<Node[]> {
  asked = []
  await ask()
  const statements = asked.filter(({ query }) => /\b(from|into)\b/i.test(query))
  const plans: Node[] = []
  for (const { query, parameters } of statements) {
    const [row] = await rowsOf<{ 'QUERY PLAN': [{ Plan: Node }] }>(queries, explained(query, parameters))
    if (row !== undefined) plans.push(row['QUERY PLAN'][0].Plan)
  }
  return plans
}

/** The same statement and parameters, explained. */
function explained(query: string, parameters: readonly unknown[]): SQL {
  const pieces = query.split(/\$\d+/)
  const places = [...query.matchAll(/\$(\d+)/g)].map(([, place]) => parameters[Number(place) - 1])
  return sql.join([
    sql.raw('explain (format json) '),
    ...pieces.flatMap((piece, n) => [
      sql.raw(piece),
      ...(n < places.length ? [sql`${sql.param(places[n])}`] : []),
    ]),
  ])
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function isScanOfAll(node: Node): boolean {
  return node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== undefined
}

async function fill(): Promise<void> {
  await queries.execute(
    sql.raw(`
    insert into users (username, name, password_hash)
    select 'user-' || i, 'User ' || i, 'x' from generate_series(1, ${users}) i`),
  )
  await queries.execute(
    sql.raw(`
    insert into tokens (hash, user_id, last_four) select 'hash-' || i, i, 'abcd' from generate_series(1, ${users}) i`),
  )
  await queries.execute(
    sql.raw(`
    insert into sessions (hash, user_id, device)
    select 'session-' || i, i, 'Firefox' from generate_series(1, ${users}) i`),
  )
  await queries.execute(
    sql.raw(`
    insert into deployments (user_id, message, url, category, scopes, deployed_at)
    -- Half of it by a hundred busy pipelines, as it is in the world.
    select 1 + i % case when i % 2 = 0 then 100 else ${users} end, 'fix: thing ' || i, 'https://github.com/u/p/pull/' || i,
      case when i % 4 = 0 then 'bug_fix' when i % 4 = 1 then 'feature' end,
      array['', 'github.com', 'github.com/u', 'github.com/u/p'],
      now() - make_interval(secs => ${deployments} - i)
    from generate_series(1, ${deployments}) i`),
  )
  await queries.execute(
    sql.raw(`
    insert into latest_deployments (user_id, scope, deployed_at)
    select user_id, scope, max(deployed_at) from deployments cross join unnest(scopes) scope group by 1, 2`),
  )
  await queries.execute(
    sql.raw(`
    insert into daily_deployments (user_id, day, deployments)
    select u, current_date - d, 3 from generate_series(1, 1000) u cross join generate_series(0, 99) d`),
  )
  await queries.execute(
    sql.raw(`
    insert into targets (user_id, target, deployed_at)
    select u, 'github.com/u/p' || t, now() - make_interval(hours => t)
    from generate_series(1, 1000) u cross join generate_series(1, 50) t`),
  )
  await queries.execute(
    sql.raw(`
    insert into withdrawals (id, deployment_id) select ${deployments} + i, i from generate_series(1, 5000) i`),
  )
  await queries.execute(
    sql.raw(`
    insert into refusals (user_id, status, reason, refused_at)
    select 1 + i % ${users}, 422, 'message is blank', now() from generate_series(1, 50000) i`),
  )
  await queries.execute(sql.raw('analyze'))
}

async function onPglite() {
  const client = await PGlite.create()
  await client.exec(setPlanner)
  const database = drizzlePglite(client, { casing: 'snake_case', logger })
  const queries = database as unknown as Queries
  await migrate(queries)
  return { queries, close: () => client.close() }
}

async function onPostgres(serverUrl: string) {
  const { url, drop } = await createPostgresDatabase(serverUrl)
  const client = postgres(url, { max: 1, onnotice: () => {}, connection: plannerSettings })
  const database = drizzlePostgres(client, { casing: 'snake_case', logger })
  const queries = database as unknown as Queries
  await migrate(queries)
  return {
    queries,
    async close() {
      await client.end()
      await drop()
    },
  }
}
