import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { deploymentsRead } from '../../src/capabilities/changelog/rules.ts'
import { findChangelog } from '../../src/capabilities/changelog/store.ts'
import { findSide, listUpTo } from '../../src/capabilities/environments/store.ts'
import { recordImport } from '../../src/capabilities/import/store.ts'
import { findCalledIntake, keepCall, letWait, waitingRecorder } from '../../src/capabilities/intakes/calls.ts'
import { findNewestState } from '../../src/capabilities/intakes/repeated-events.ts'
import { findIntake, listCalls } from '../../src/capabilities/intakes/store.ts'
import { readersOf } from '../../src/capabilities/members-only/store.ts'
import { pruneDeployments } from '../../src/capabilities/pruning/store.ts'
import { readWindow, windowSize } from '../../src/capabilities/releases/store.ts'
import { countResults, findDeployments } from '../../src/capabilities/search/find.ts'
import { searchImported } from '../../src/capabilities/search/unindexed.ts'
import { latestTargets } from '../../src/capabilities/wall/store.ts'
import { deleteUser } from '../../src/data/account/deletion.ts'
import { sessionReader } from '../../src/data/account/sessions.ts'
import { rollToken } from '../../src/data/account/token-settings.ts'
import { findUser } from '../../src/data/account/users.ts'
import { forgetActor } from '../../src/data/actors.ts'
import { latestDeploymentReader } from '../../src/data/badges/latest.ts'
import { badgeReader } from '../../src/data/badges/reader.ts'
import { findChosen, readChosen, readNewestBoards } from '../../src/data/boards.ts'
import { readCurrent, readEnvironments } from '../../src/data/current.ts'
import { findPosted, withdrawDeployment } from '../../src/data/deployments.ts'
import { eventLog } from '../../src/data/event-log.ts'
import { exportDeployments } from '../../src/data/export.ts'
import { listDeployments } from '../../src/data/feed-pages.ts'
import { countImported, removeImported } from '../../src/data/imported.ts'
import { findCardFacts, findWithNeighbours } from '../../src/data/pages/deployment-page.ts'
import { pageVersionReader } from '../../src/data/pages/page-versions.ts'
import { profileReader } from '../../src/data/pages/profiles.ts'
import { readProject } from '../../src/data/pages/projects.ts'
import { yearReader } from '../../src/data/pages/years.ts'
import { quotaReader, readReplaced, recorder } from '../../src/data/recording.ts'
import { listRefusals, refusalRecorder } from '../../src/data/refused-calls.ts'
import { countScopes } from '../../src/data/statements.ts'
import { tallyReader } from '../../src/data/tallies.ts'
import { scopeToRead } from '../../src/data/targets.ts'
import { idsBetween } from '../../src/data/time-ranges.ts'
import { moveJoined } from '../../src/data/upkeep/moving.ts'
import { rereadLinks } from '../../src/data/upkeep/rereading.ts'
import { type Db, oneRowOf, type Queries, rowsOf } from '../../src/database/db.ts'
import { migrate } from '../../src/database/migrations.ts'
import { ourTypes } from '../../src/database/postgres/driver.ts'
import { plannerSettings } from '../../src/database/session-settings.ts'
import { maxAhead } from '../../src/domain/environment/board.ts'
import { stages } from '../../src/domain/environment/stages.ts'
import { isUnfiltered } from '../../src/domain/feed/facets.ts'
import { type FeedFilter, pageSize, wholeFeed } from '../../src/domain/feed/feed.ts'
import { batchSize } from '../../src/domain/feed/id-batch.ts'
import { anyTime } from '../../src/domain/feed/time-range.ts'
import { beforeImported } from '../../src/domain/imported.ts'
import { earlierReleases } from '../../src/domain/release/rollback.ts'
import { startOfDay, utcDayOf } from '../../src/domain/time.ts'
import { tables } from '../../src/table-uses.ts'
import { createPostgresDatabase, runBy, standInDatabase } from '../support/database.ts'
import { noSearch } from '../support/deployments.ts'

const users = 5_000
const deployments = 100_000

/** The statements of the service, with the parameters as the driver got them. */
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
  ;({ queries, close } = await onPostgres())
  db = runBy(
    (work) => work(queries),
    standInDatabase(() => null),
  )
  await fill()
})

afterAll(() => close())

/** One of the three users with 16,000 deployments each, none of which is a feature. */
const busyUser = 2
/** A user whose 500 deployments are old. */
const formerUser = 4

describe(`at ${deployments} deployments, no sequential scan and no sort for`, () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a badge', () => latestDeploymentReader(db)({ username: 'user-7', scope: '' })],
    [
      'a badge with a filter',
      () => latestDeploymentReader(db)({ username: 'user-7', scope: 'github.com/u' }),
    ],
    ...['', 'github.com/u'].map((scope): [string, () => Promise<unknown>] => [
      `a badge of an environment, with the filter "${scope}"`,
      () => badgeReader(db).latest({ username: `user-${busyUser}`, scope, environment: 'production' }),
    ]),
    ...['', 'github.com/u', 'github.com/u/p7'].map((scope): [string, () => Promise<unknown>] => [
      `a badge of a version, with the filter "${scope}"`,
      () => badgeReader(db).newest({ username: `user-${busyUser}`, scope }),
    ]),
    ['the owner of a profile', () => findUser(db, 'user-7')],
    ['the profile of a busy user', () => profileReader(db)(`user-${busyUser}`)],
    ['the profile of a user who no longer deploys', () => profileReader(db)(`user-${formerUser}`)],
    ['the version of a profile', () => pageVersionReader(db)(`user-${formerUser}`)],
    ['the tail of the live feed', () => eventLog(db).readAfter(wholeFeed, 99_000, 500)],
    ['a chunk of an export', () => exportDeployments(db, 7).next()],
    ['the refused calls of a user', () => listRefusals(db, 7)],
    ['a session', () => sessionReader(db)('secret')],
    ['a read key', () => readersOf(db).isKey('key-7')],
    ['a token that reads', () => readersOf(db).findToken('hash-7')],
    ['the quota of a token', () => quotaReader(db, 60)('hash-7')],
  ])('%s', async (_, ask) => {
    const plans = await plansOf(ask)
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.flatMap(nodesOf).filter(isScanOfAll)).toEqual([])
    expect(plans.flatMap(nodesOf).filter((node) => node['Node Type'] === 'Sort')).toEqual([])
  })

  test('a badge, which reads one user and one scope, however many scopes that user has', async () => {
    const question = { username: `user-${busyUser}`, scope: 'github.com/u/p7' }
    const nodes = (await plansOf(() => latestDeploymentReader(db)(question))).flatMap(nodesOf)
    expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBe(2)
  })

  test('a badge of environments, which reads a few rows for each (except a sort of these)', async () => {
    const question = { username: `user-${busyUser}`, scope: 'github.com/u/p7' }
    expect((await badgeReader(db).live(question)).live.length).toBeGreaterThan(0)
    const nodes = (await plansOf(() => badgeReader(db).live(question))).flatMap(nodesOf)
    expect(nodes.filter(isScanOfAll)).toEqual([])
    expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(10)
  })

  test.each(['', 'github.com/u/p7', 'github.com'])(
    'a year of the scope "%s" (except a sort of its days)',
    async (scope) => {
      const nodes = (await plansOf(() => yearReader(db)({ username: `user-${busyUser}`, scope }))).flatMap(
        nodesOf,
      )
      expect(nodes.filter(isScanOfAll)).toEqual([])
      expect(nodes.length).toBeGreaterThan(5)
    },
  )

  test('keeping a refused call (except a sort of its batch, not of stored rows)', async () => {
    const plans = await plansOf(() =>
      refusalRecorder(db)({ tokenHash: 'hash-7', status: 429, reason: 'too often', source: 'k' }),
    )
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.flatMap(nodesOf).filter(isScanOfAll)).toEqual([])
  })

  test('a chunk of a pruning', async () => {
    const { scans, probes } = await looksDuring((transacted) =>
      pruneDeployments(transacted, { before: new Date(), isDryRun: true }),
    )
    expect(scans).toBe(0)
    expect(probes).toBeGreaterThan(100)
  })

  test('recording announcements', async () => {
    const announcement = { message: 'fix: it', url: 'https://github.com/u/p/pull/1', category: null }
    const { scans, probes, rows } = await looksDuring(async (transacted) => {
      const record = recorder(transacted, 60)
      const call = { tokenHash: `hash-${busyUser}`, announcement }
      await Promise.all([null, 'k', 'k'].map((idempotencyKey) => record({ ...call, idempotencyKey })))
    })
    expect(scans).toBe(0)
    expect(probes).toBeGreaterThan(10)
    expect(rows).toBeLessThan(400)
  })

  test('rolling a token', async () => {
    const { scans, probes } = await looksDuring((transacted) =>
      rollToken(transacted, users - 1, { keepOld: true }),
    )
    expect(scans).toBe(0)
    expect(probes).toBeGreaterThan(2)
  })
})

describe('History reads few rows, however much there is:', () => {
  const items = Array.from({ length: 20 }, (_, n) => ({
    announcement: { message: 'Old', url: 'https://github.com/u/p7/pull/1', category: null },
    deployedAt: new Date(n * 1_000),
    key: `k${n}`,
  }))

  test('adding and removing it', async () => {
    for (const work of [
      (transacted: Db) => recordImport(transacted, { userId: busyUser, token: null }, items),
      (transacted: Db) => removeImported(transacted, busyUser),
    ]) {
      const { scans, probes, rows } = await looksDuring(work)
      expect(scans).toBe(0)
      expect(probes).toBeGreaterThan(10)
      expect(rows).toBeLessThan(1_500)
    }
  })

  test('counting and searching it', async () => {
    const history = { first: beforeImported + 1, end: 0 }
    const asks = [
      () => countImported(db, busyUser),
      () => searchImported(db, { ...noSearch, words: ['fix'] }, history),
      () => searchImported(db, { ...noSearch, words: ['fix'], userId: busyUser }, history),
    ]
    for (const ask of asks) {
      const nodes = (await plansOf(ask)).flatMap(nodesOf)
      expect(nodes.length).toBeGreaterThan(0)
      expect(nodes.filter(isScanOfAll)).toEqual([])
      expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(10)
    }
  })
})

describe('Intakes read few rows, however many there are:', () => {
  const intake = { id: 'intake-7', userId: 7 }
  const waiting = { about: '', key: 'k', announcement: { message: 'Old', url: null, category: null } }
  test.each<[name: string, ask: (on: Db) => Promise<unknown>]>([
    ['one that is called', (on) => findCalledIntake(on, intake.id)],
    ['its page', (on) => Promise.all([findIntake(on, intake), listCalls(on, intake)])],
    ['keeping a call', (on) => keepCall(on, intake, { about: '', outcome: 'refused' })],
    ['keeping one with a key', (on) => keepCall(on, intake, { about: '', outcome: 'known', key: 'fx:a:1' })],
    ['letting one wait', (on) => letWait(on, intake, waiting)],
  ])('%s', async (_, ask) => {
    const { scans, probes, rows } = await looksDuring(ask)
    expect(scans).toBe(0)
    expect(probes).toBeGreaterThan(0)
    expect(rows).toBeLessThan(100)
  })

  test('the newest state of an object, among the newest deployments of its owner', async () => {
    const { scans, probes, rows } = await looksDuring((on) => findNewestState(on, intake, 'fx:a:'))
    expect(scans).toBe(0)
    expect(probes).toBeGreaterThan(0)
    expect(rows).toBeLessThan(1_100)
  })

  test('those that wait, by one probe for each user', async () => {
    const nodes = (await plansOf(waitingRecorder(db, { ratePerMinute: 1 }))).flatMap(nodesOf)
    expect(nodes.length).toBeGreaterThan(0)
    expect(nodes.filter(isScanOfAll)).toEqual([])
  })
})

/** The other targets of each of three scopes, and the last deployment of each. */
const maxProbed = 3 * 2 * 60

describe('Withdrawals and deletions use indexes, however much the user has posted:', () => {
  test.each([
    ['the newest of a busy user', busyUser, sql`max(id)`],
    ['the oldest of a busy user', busyUser, sql`min(id)`],
    ['the newest of a former user', formerUser, sql`max(id)`],
  ])('%s', async (_, userId, chosen) => {
    const [row] = await rowsOf<{ id: string }>(
      queries,
      sql`select ${chosen} as id from deployments where user_id = ${userId}`,
    )
    const which = { userId, id: Number(row?.id) }
    const { scans, probes, rows } = await looksDuring(async (transacted) =>
      expect(await withdrawDeployment(transacted, which)).toBeTrue(),
    )
    expect(scans).toBe(0)
    expect(probes).toBeGreaterThan(10)
    expect(rows).toBeLessThan(maxProbed)
  })

  test('an account, chunk by chunk', async () => {
    const nodes = (await plansOf(() => deleteUser(db, tables, users))).flatMap(nodesOf)
    expect(nodes.length).toBeGreaterThan(0)
    expect(nodes.filter(isScanOfAll)).toEqual([])
  })

  test('rows that are deleted with a user: every foreign key is the beginning of an index', async () => {
    const without = await rowsOf(
      queries,
      sql`
        select conrelid::regclass::text as "table", conname from pg_constraint c
        where contype = 'f' and not exists (
          select from pg_index i
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
          where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
            and coalesce(pg_get_expr(i.indpred, i.indrelid), '') in ('', format('(%I IS NOT NULL)', a.attname))
        )`,
    )
    expect(without).toEqual([])
  })

  test('an actor that is forgotten', async () => {
    await queries.execute(sql`update deployments set actor = 'Grace' where id % 500 = 0`)
    const nodes = (await plansOf(() => forgetActor(db, tables, 'grace'))).flatMap(nodesOf)
    // Tokens and webhooks, of which an account has few, are read whole.
    expect(nodes.filter((node) => isScanOfAll(node) && node['Relation Name'] === 'deployments')).toEqual([])
    expect(nodes.map((node) => node['Index Name'])).toContain('deployments_actor')
  })

  test('deployments of joined projects, and the scope to read for one', async () => {
    await queries.execute(sql`
      insert into joined_projects (user_id, spelling, target, scopes)
      select n, 'github.com/u/p' || m, '-/p', array['', '-/p'] from generate_series(1, 200) n, generate_series(1, 20) m`)
    const plans = await plansOf(async () => {
      await moveJoined(db, formerUser)
      await scopeToRead(db, { userId: busyUser, scope: 'github.com/u/p7' })
      await scopeToRead(db, { userId: busyUser, scope: 'nowhere.example' })
    })
    await queries.execute(sql`delete from joined_projects where moved_at is null`)
    const nodes = plans.flatMap(nodesOf)
    expect(nodes.length).toBeGreaterThan(0)
    expect(nodes.filter(isScanOfAll)).toEqual([])
  })

  test('links that are read again', async () => {
    await queries.execute(sql`update deployments set target_rule = null where id % 1000 = 0`)
    const nodes = (await plansOf(() => rereadLinks(db))).flatMap(nodesOf)
    expect(nodes.length).toBeGreaterThan(0)
    expect(nodes.filter(isScanOfAll)).toEqual([])
  })
})

describe('The page of a deployment and its picture read few rows, however much the user has posted:', () => {
  test.each([
    ['of a busy user', busyUser, sql`max(id)`],
    ['the oldest of a busy user', busyUser, sql`min(id)`],
    ['of a former user', formerUser, sql`max(id)`],
  ])('%s', async (_, userId, chosen) => {
    const [row] = await rowsOf<{ id: string }>(
      queries,
      sql`select ${chosen} as id from deployments where user_id = ${userId}`,
    )
    const which = { username: `user-${userId}`, id: Number(row?.id) }
    expect(await findWithNeighbours(db, which)).not.toBeNull()
    for (const ask of [() => findWithNeighbours(db, which), () => findCardFacts(db, which)]) {
      const nodes = (await plansOf(ask)).flatMap(nodesOf)
      expect(nodes.filter(isScanOfAll)).toEqual([])
      expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(120)
    }
  })
})

const parts = [null, busyUser, formerUser].flatMap((userId) =>
  [{}, { category: 'bug_fix' }, { category: 'feature' }, { category: 'styling_change' }].flatMap((by) =>
    // A scope without a user is refused: see filterOf in web/lists.
    (userId === null
      ? [null]
      : [null, 'github.com', 'github.com/u', 'github.com/u/p7', 'nowhere.example']
    ).map((scope) => ({ userId, scope, by }) as FeedFilter),
  ),
)

/** An environment together with a category is refused: see readOneFacet in web/lists. */
const partsOfEnvironments = parts
  .filter(({ by }) => isUnfiltered(by))
  .flatMap((part) =>
    ['production', 'staging', 'nowhere'].map(
      (environment) => ({ ...part, by: { environment } }) as FeedFilter,
    ),
  )

/** How many events are read for a browser that returns. */
const caughtUp = { deployments: 101, removals: 501 }

/** A page of each of 50 targets, or a catch-up: far fewer than the deployments of a busy user. */
const maxRows = 7_500

describe('Every list reads few rows, whatever is asked for:', () => {
  const title = 'user $userId, target $scope, by $by'
  test.each([...parts, ...partsOfEnvironments])(title, async (part) => {
    const asks: readonly (() => Promise<unknown>)[] = [
      () => listDeployments(db, { ...part, before: null }),
      () => listDeployments(db, { ...part, before: 50_000 }),
      () => eventLog(db).readLatest(part, 0, caughtUp),
      () => eventLog(db).readLatest(part, 99_000, caughtUp),
      () => eventLog(db).readAfter(part, 0, 100),
      () => eventLog(db).readAfter(part, 99_000, 100),
    ]
    for (const ask of asks) {
      const nodes = (await plansOf(ask)).flatMap(nodesOf)
      expect(nodes.filter(isScanOfAll)).toEqual([])
      expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(
        part.scope === null ? 800 : maxRows,
      )
    }
  })
})

describe('What deployments replaced takes a few rows for each, however much was deployed there:', () => {
  /** All of whose deployments are to production. */
  const userId = 1
  const username = `user-${userId}`
  const ofUser = { ...wholeFeed, userId, before: 90_000 }
  const ofTarget = { userId, target: 'github.com/u/p7' }
  const announcement = {
    ...{ message: 'fix: it', url: 'https://github.com/u/p7/pull/1', category: null },
    environment: 'production',
  }
  // Each has a row of its own and one of its user; a profile has its numbers and its year.
  const each = earlierReleases + 2
  test.each<[string, most: number, ask: (on: Db) => Promise<unknown>]>([
    ['a list', (pageSize + 1) * each, (on) => listDeployments(on, { ...wholeFeed, before: null })],
    ['a list of a user', (pageSize + 1) * each, (on) => listDeployments(on, ofUser)],
    ['a profile', (pageSize + 1) * each + 600, (on) => profileReader(on)(username)],
    ['the tail of the live feed', 100 * each, (on) => eventLog(on).readAfter(wholeFeed, 99_000, 100)],
    ['one', each, (on) => findPosted(on, 99_942)],
    ['the page of one', each, (on) => findWithNeighbours(on, { username, id: 99_942 })],
    ['what is live, to compare it', each, (on) => findSide(on, ofTarget, { environment: 'production' })],
    ['a deployment to compare', each, (on) => findSide(on, ofTarget, { id: 99_942 })],
    [
      'what came before it there',
      (maxAhead + 1) * each,
      async (on) => {
        const live = await findSide(on, ofTarget, { environment: 'production' })
        return live === null ? null : await listUpTo(on, ofTarget, live, maxAhead + 1)
      },
    ],
    ['one that is only checked', each, (on) => readReplaced(on, userId, announcement)],
  ])('%s', async (_, most, ask) => {
    const { scans, probes, rows } = await looksDuring(ask)
    expect(scans).toBe(0)
    expect(probes).toBeGreaterThan(0)
    expect(rows).toBeGreaterThanOrEqual(earlierReleases)
    // Planning looks at the ends of indexes, and a page at its neighbours.
    expect(rows).toBeLessThanOrEqual(most + 20)
  })
})

/** The days and the last deployments of each of 50 targets, and the list. */
const maxOfProject = 50 * (365 + 100 + 30)
/** The latest deployments to each of two environments, and those that are live. */
const maxOfBoard = 2 * (maxAhead + 10)

describe('The page of a project reads few rows, however much its user has posted:', () => {
  test.each([
    [busyUser, 'github.com/u/p7', maxOfProject / 50 + maxOfBoard],
    [formerUser, 'github.com/u/p7', maxOfProject / 50 + maxOfBoard],
    [busyUser, 'github.com', maxOfProject],
    [formerUser, 'github.com/u', maxOfProject],
    [formerUser, 'nowhere.example', 10],
  ])('user %p, target %p', async (userId, scope, most) => {
    const nodes = (await plansOf(() => readProject(db, { userId, scope }))).flatMap(nodesOf)
    expect(nodes.filter(isScanOfAll)).toEqual([])
    expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(most)
  })

  test.each([
    [busyUser, 'github.com/u/p7', null],
    [busyUser, 'github.com/u/p7', 50_000],
    [formerUser, 'github.com/u/p7', 1],
    [formerUser, 'nowhere.example', null],
  ])('the releases of user %p, target %p, around %p', async (userId, target, around) => {
    const nodes = (await plansOf(() => readWindow(db, { userId, target, around }))).flatMap(nodesOf)
    expect(nodes.length).toBeGreaterThan(0)
    expect(nodes.filter(isScanOfAll)).toEqual([])
    // What is live, of which there are two environments, is a few probes.
    expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(2 * windowSize + 20)
  })

  test('a day is found by a few probes of the primary key', async () => {
    const today = { from: startOfDay(utcDayOf(new Date())), to: new Date() }
    const nodes = (await plansOf(() => idsBetween(db, busyUser, today, null))).flatMap(nodesOf)
    expect(nodes.filter(isScanOfAll)).toEqual([])
    expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(100)
  })
})

describe('What is live where takes a few rows for each target and environment, however much was posted:', () => {
  test.each([
    [busyUser, null, undefined],
    [busyUser, 'github.com', undefined],
    [busyUser, 'github.com/u/p7', undefined],
    [busyUser, null, 'production'],
    [formerUser, null, undefined],
    [formerUser, 'nowhere.example', undefined],
    [users, null, 'nowhere'],
  ])('user %p, target %p, environment %p', async (userId, scope, environment) => {
    const nodes = (await plansOf(() => readCurrent(db, { userId, scope, environment }))).flatMap(nodesOf)
    expect(nodes.filter(isScanOfAll)).toEqual([])
    // For each of 50 targets: a row to find it, one for each of two environments, and both of these with their user.
    expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(50 * 8)
  })
})

describe('A changelog reads as many rows as its page has, however much was posted:', () => {
  test.each([
    [busyUser, 'github.com/u/p7', null],
    [busyUser, 'github.com/u/p7', 50_000],
    [formerUser, 'github.com/u/p7', null],
    [busyUser, 'github.com/u', null],
    [users, 'github.com/u/p7', null],
  ])('user %p, target %p, before %p', async (userId, target, before) => {
    const user = { id: userId, username: '', name: '' }
    const nodes = (await plansOf(() => findChangelog(db, { user, target, before }))).flatMap(nodesOf)
    expect(nodes.filter(isScanOfAll)).toEqual([])
    // Each environment that is there or has a known name, and the deployments with their user.
    const most = 2 * stages.flat().length + deploymentsRead + 10
    expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(most)
  })
})

describe('The environments of all projects read a few rows for each project and environment, however much was posted:', () => {
  test.each([
    [busyUser, null],
    [busyUser, 'github.com'],
    [formerUser, null],
    [users, null],
  ])('user %p, target %p', async (userId, scope) => {
    const nodes = (await plansOf(() => readEnvironments(db, { userId, scope }))).flatMap(nodesOf)
    expect(nodes.filter(isScanOfAll)).toEqual([])
    // As for maxOfBoard, for each of 50 targets.
    expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(
      50 * 2 * (maxAhead + 10),
    )
  })
})

describe('A board of several users reads the newest rows, and a few for each project and environment:', () => {
  const chosen = ['github.com/u/p7', 'github.com/u', 'nowhere.example'].flatMap((scope) =>
    [busyUser, formerUser].map((userId) => ({ userId, username: `user-${userId}`, scope, readScope: scope })),
  )
  test.each<[string, () => Promise<unknown>, number]>([
    // Of the newest rows, and of those that are live, with their users.
    ['everyone', () => readNewestBoards(db, null), 2_000 + 100 * maxOfBoard],
    ['everyone, in an environment', () => readNewestBoards(db, 'production'), 2_000 + 100 * maxOfBoard],
    ['everyone, in one of nobody', () => readNewestBoards(db, 'nowhere'), 10],
    ['chosen projects', () => readChosen(db, chosen), 100 * maxOfBoard],
    ['which of them there are', () => findChosen(db, chosen), 30],
  ])('%s', async (_, ask, most) => {
    const nodes = (await plansOf(ask)).flatMap(nodesOf)
    expect(nodes.length).toBeGreaterThan(0)
    expect(nodes.filter(isScanOfAll)).toEqual([])
    expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(most)
  })
})

describe('A wallboard reads at most one chunk of rows in each statement:', () => {
  test.each(parts)('user $userId, category $category, target $scope', async (part) => {
    for (const ask of [() => latestTargets(db, part), () => tallyReader(db)(part)]) {
      for (const plan of await plansOf(ask)) {
        const nodes = nodesOf(plan)
        expect(nodes.filter(isScanOfAll)).toEqual([])
        expect(nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(5_001)
      }
    }
  })
})

const search = { ...noSearch, before: null }

const searched = [
  ['a word of every deployment', { ...search, words: ['fix'] }],
  ['a word of none', { ...search, words: ['nothing'] }],
  ['two words that never meet', { ...search, words: ['fix', 'fiction'] }],
  ['the beginning of words', { ...search, words: ['fic'] }],
  ['a busy user', { ...search, words: ['nothing'], userId: busyUser }],
  ['a former user', { ...search, words: ['fix'], userId: formerUser }],
  ['a host', { ...search, words: ['nothing'], scope: 'github.com' }],
  ['an older page', { ...search, words: ['fix'], category: 'bug_fix' as const, before: 50_000 }],
  ['a time', { ...search, words: ['fix'], time: { from: startOfDay(0), to: new Date() } }],
  ['an environment', { ...search, environment: 'production' }],
  ['a phrase', { ...search, phrases: [['fix', 'nothing']] }],
  ['a word without itself', { ...search, words: ['fix'], without: { words: ['fix'], phrases: [] } }],
] as const

describe('A search reads the newest rows, and one page of the index for each batch:', () => {
  test.each(searched)('%s', async (_, asked) => {
    const nodes = (await plansOf(() => findDeployments(db, asked))).flatMap(nodesOf)
    expect(nodes.filter(isScanOfAll)).toEqual([])
    const looked = nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)
    // The rows that are not indexed, the pages, and 26 rows with their users.
    expect(looked).toBeLessThan(2 * batchSize + 500)
  })

  test.each(searched)(
    '%s, and counting it reads no more than the rows that it compares',
    async (_, asked) => {
      const time = 'time' in asked ? asked.time : anyTime
      const page = await findDeployments(db, asked)
      const nodes = (await plansOf(() => countResults(db, asked, page, time))).flatMap(nodesOf)
      expect(nodes.filter(isScanOfAll)).toEqual([])
      const looked = nodes.map(rowsLookedAt).reduce((sum, rows) => sum + rows, 0)
      // The rows that are not indexed, for each of five steps through them, and a thousand rows with their users.
      expect(looked).toBeLessThan(5 * 2 * batchSize + 2 * 1_000 + 500)
    },
  )
})

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** The rows that a scan read, including those that it filtered out. */
function rowsLookedAt(node: Node): number {
  if (node['Relation Name'] === undefined) return 0
  const { 'Actual Rows': rows = 0, 'Rows Removed by Filter': removed = 0, 'Actual Loops': loops = 1 } = node
  return (rows + removed) * loops
}

type Looks = { readonly scans: number; readonly probes: number; readonly rows: number }

/** What work reads, by counters: no plan shows the statements inside a function of the database. */
async function looksDuring(work: (db: Db) => Promise<unknown>): Promise<Looks> {
  return await queries.transaction(async (transaction) => {
    const before = await looksOf(transaction)
    const run: Db['read'] = (ask) => ask(transaction)
    await work({ ...db, read: run, readPrimary: run, write: run })
    const after = await looksOf(transaction)
    return {
      scans: after.scans - before.scans,
      probes: after.probes - before.probes,
      rows: after.rows - before.rows,
    }
  })
}

/** What this connection has done, including this transaction: scans of tables, probes of indexes, and rows. */
async function looksOf(transaction: Queries): Promise<Looks> {
  return await oneRowOf<Looks>(
    transaction,
    sql`
      select coalesce(sum(seq_scan), 0)::float8 as scans, coalesce(sum(idx_scan), 0)::float8 as probes,
        coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::float8 as rows
      from pg_stat_xact_user_tables`,
  )
}

/** Runs the question, then explains each of its statements on our tables. */
async function plansOf(ask: () => Promise<unknown>): Promise<Node[]> {
  asked = []
  await ask()
  const statements = asked.filter(({ query }) => /\b(from|into)\b/i.test(query))
  const plans: Node[] = []
  for (const { query, parameters } of statements) {
    const isRead = /^\s*(with|select)/i.test(query) && !/\b(insert|update|delete)\b/i.test(query)
    const [row] = await rowsOf<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      queries,
      explained(query, parameters, isRead),
    )
    if (row !== undefined) plans.push(row['QUERY PLAN'][0].Plan)
  }
  return plans
}

/** Explains the same statement with the same parameters, and runs it again unless it writes. */
function explained(query: string, parameters: readonly unknown[], isRead: boolean): SQL {
  const pieces = query.split(/\$\d+/)
  const places = [...query.matchAll(/\$(\d+)/g)].map(([, place]) => parameters[Number(place) - 1])
  return sql.join([
    sql.raw(isRead ? 'explain (analyze, format json) ' : 'explain (format json) '),
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
    insert into publishers (user_id, issuer, repository)
    select i, 'https://gitlab.com', 'user-' || i || '/engine' from generate_series(1, ${users}) i`),
  )
  await queries.execute(
    sql.raw(`
    insert into sessions (hash, user_id, device)
    select 'session-' || i, i, 'Firefox' from generate_series(1, ${users}) i`),
  )
  await queries.execute(
    sql.raw(`
    insert into read_keys (hash, user_id, last_four)
    select 'key-' || i, i, 'abcd' from generate_series(1, ${users}) i`),
  )
  await queries.execute(
    sql.raw(`
    insert into deployments (user_id, message, url, category, scopes, target, target_rule, environment, deployed_at)
    -- Half of it by three busy pipelines, as it is in the world.
    select case when i % 2 = 0 then 1 + i % 3 when i < 1000 then 4 else 1 + i % ${users} end, 'fix: thing ' || i, 'https://' || p || '/pull/' || i,
      case when i % 4 = 0 then 'bug_fix' when i % 4 = 1 then 'feature' end,
      array['', 'github.com', 'github.com/u', p], p, 2,
      case when i < 200 then 'Staging' when i % 3 = 0 then 'Production' end, now() - make_interval(secs => ${deployments} - i)
    from (select i, 'github.com/u/p' || (i / 6 % 50) as p from generate_series(1, ${deployments}) i) d`),
  )
  await queries.execute(sql`select ${countScopes(sql`array_agg(id)`)} from deployments`)
  await queries.execute(
    sql.raw(`
    insert into daily_deployments (user_id, day, deployments)
    select u, current_date - d, 3 from generate_series(1, 1000) u cross join generate_series(0, 29) d`),
  )
  await queries.execute(sql`insert into user_stamps (user_id, stamp) select id, gen_random_uuid() from users`)
  await queries.execute(sql`
    insert into webhooks (user_id, url, format, targets, environments, categories, withdrawals, position, last_event)
    select id, 'https://hooks.example/', 'slack', '{}', '{}', '{}', true, 0, 0 from users`)
  await queries.execute(sql`
    insert into intakes (id, user_id, kind, secret, environments, workflows, transient)
    select 'intake-' || id, id, 'github', 'secret', '{}', '{}', false from users`)
  await queries.execute(sql`
    insert into intake_calls (user_id, intake_id, about, outcome, waiting, key)
    select id, 'intake-' || id, '', case when n < 3 then 'waiting' else 'announced' end,
      case when n < 3 and id % 100 = 0 then '{"message":"x","url":null,"category":null}' end, case when n < 3 and id % 100 = 0 then 'k' || n end
    from users cross join generate_series(1, 5) n`)
  await queries.execute(sql`
    insert into joined_projects (user_id, spelling, target, scopes, moved_at)
    select id, 'old.example/p' || n, '-/p', array['', '-/p'], now() from users cross join generate_series(1, 5) n`)
  await queries.execute(
    sql.raw(`
    insert into withdrawals (id, deployment_id)
    select nextval('deployments_id_seq'), i from generate_series(1, 5000) i`),
  )
  await queries.execute(
    sql.raw(`
    insert into refusals (user_id, status, reason, refused_at)
    select 1 + i % ${users}, 422, 'message is blank', now() from generate_series(1, ${5 * users}) i`),
  )
  await queries.execute(
    sql.raw(
      `insert into retired_usernames (username) select 'gone-' || i from generate_series(1, ${users}) i`,
    ),
  )
  await queries.execute(
    sql.raw(`
    insert into search_batches (batch, version)
    select n, 1 from generate_series(0, ${deployments / batchSize} - 1) n`),
  )
  await queries.execute(
    sql.raw(`
    -- 700 pages each, as messages of the world have; the first deployment has "fix", the second "fiction".
    insert into search_pages (page, batch, lines)
    select page, batch, E'\\nfiction AB\\nfix AA\\n' || page || ' AA'
    from search_batches cross join (
      select 'fi' as page union all select 'p' || n from generate_series(1, 700) n
    ) pages`),
  )
  await queries.execute(sql.raw('analyze'))
}

async function onPostgres() {
  const { url, drop } = await createPostgresDatabase()
  const client = postgres(url, { max: 1, onnotice: () => {}, connection: plannerSettings, ...ourTypes })
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
