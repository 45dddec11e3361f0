import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pruneDeployments } from '../../../src/capabilities/pruning/store.ts'
import { withdrawDeployment } from '../../../src/data/deployments.ts'
import { counting } from '../../../src/data/statements.ts'
import { deployments } from '../../../src/data/tables.ts'
import { scopeOf, scopesOf, targetOf, targetRule } from '../../../src/domain/target.ts'
import { day } from '../../../src/domain/time.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { passMidnight } from '../../support/eventually.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

/** A link, and how many days ago its daily deployments began and ended. Those of the first three ended long ago. */
const histories = [
  ['https://github.com/ada/attic/pull/1', 60, 40],
  // Its scope also covers the engine, which was deployed to later.
  ['https://github.com/ada', 58, 35],
  ['https://ci.ada.dev/jobs/1', 55, 31],
  ['https://github.com/ada/engine/pull/1', 50, 2],
  [null, 45, 0],
] as const

const filters = ['', 'github.com', 'github.com/ada/attic', 'github.com/ada/engine', 'ada.dev', 'ci.ada.dev']

test('old deployments go, except the last of each target; badges and counts stay right', async () => {
  const now = Date.now()
  const [ada, grace] = [await settle(now), await settle(now)]
  const before = new Date(Math.floor(now / day - 30) * day)
  const badges = await badgesOf(ada)
  const first = await countOf(ada)

  const counted = await pruneDeployments(service.db, { before, isDryRun: true })
  expect(await countOf(ada)).toEqual(first)
  const pruned = await pruneDeployments(service.db, { before, isDryRun: false })
  expect(pruned).toEqual(counted)
  // For each of the two users, the last deployments to the three targets that ended long ago.
  expect(pruned.kept).toBe(6)

  for (const poster of [ada, grace]) {
    expect(await badgesOf(poster)).toEqual(badges)
    expect(await countOf(poster)).toEqual({ stored: first.stored - pruned.gone / 2, uncounted: 0, wrong: 0 })
  }
  expect(await pruneDeployments(service.db, { before, isDryRun: false })).toEqual({ gone: 0, kept: 6 })
})

test.each(['0000-01-01', '0001-01-01'])('before %s there is nothing to prune', async (day) => {
  await settle()
  const options = { before: new Date(`${day}T00:00:00Z`), isDryRun: false }
  expect(await pruneDeployments(service.db, options)).toEqual({ gone: 0, kept: 0 })
})

test('nothing of today goes, whatever the clock of the process says', async () => {
  await passMidnight()
  const poster = await signUpPoster(service)
  await Promise.all([...filters, ...filters].map(() => poster.announce({ message: 'Today' })))
  const before = new Date(Date.now() + 2 * day)
  expect(await pruneDeployments(service.db, { before, isDryRun: false })).toEqual({ gone: 0, kept: 0 })
})

test('what was kept can be withdrawn, and counts no more', async () => {
  const poster = await settle()
  const before = new Date(Math.floor(Date.now() / day) * day)
  await pruneDeployments(service.db, { before, isDryRun: false })
  const rows = await query<{ id: number }>(
    service.db,
    sql`select id::int as id from deployments where user_id = ${await userIdOf(service.db, poster)} order by id`,
  )
  for (const { id } of rows)
    await withdrawDeployment(service.db, { userId: await userIdOf(service.db, poster), id })
  expect(new Set(await badgesOf(poster))).toEqual(new Set(['Inactive']))
  expect(await countOf(poster)).toEqual({ stored: 0, uncounted: 0, wrong: 0 })
})

test('counts stay right while others prune, withdraw and announce', async () => {
  const poster = await settle()
  const userId = await userIdOf(service.db, poster)
  const rows = await query<{ id: number }>(
    service.db,
    sql`select id::int as id from deployments where user_id = ${userId} order by id`,
  )
  const options = { before: new Date(), isDryRun: false }
  await Promise.all([
    pruneDeployments(service.db, options),
    ...rows.slice(-60).map(({ id }) => withdrawDeployment(service.db, { userId, id })),
    ...histories.map(([url]) => poster.announce({ message: 'During the pruning', url })),
    pruneDeployments(service.db, options),
  ])
  expect(await countOf(poster)).toMatchObject({ uncounted: 0, wrong: 0 })
})

/** Signs somebody up, with what they deployed in 60 days. */
async function settle(now = Date.now()): Promise<Poster> {
  const poster = await signUpPoster(service)
  const userId = await userIdOf(service.db, poster)
  const rows = histories.flatMap(([url, from, to]) =>
    Array.from({ length: from - to }, (_, n) => ({ url, daysAgo: from - n })),
  )
  const target = (url: string | null) => (url === null ? null : targetOf(url))
  await service.db.write(async (queries) => {
    await queries.insert(deployments).values(
      rows
        .toSorted((a, b) => b.daysAgo - a.daysAgo)
        .map(({ url, daysAgo }) => ({
          userId,
          message: `${daysAgo} days ago`,
          url,
          scopes: scopesOf(target(url)),
          target: url === null ? null : scopeOf(targetOf(url)),
          targetRule,
          deployedAt: new Date(now - daysAgo * day),
        })),
    )
    const mine = sql`(select * from deployments where user_id = ${userId})`
    await queries.execute(counting(mine))
  })
  return poster
}

async function badgesOf({ username }: Poster): Promise<string[]> {
  const messages = filters.map(async (filter) => {
    const response = await service.fetch(`/badge/${username}.json?url=${filter}`)
    return ((await response.json()) as { message: string }).message
  })
  return await Promise.all(messages)
}

/** How many deployments are stored, how many are not counted by day, and how many scopes and targets are wrong. */
async function countOf(poster: Poster) {
  const userId = await userIdOf(service.db, poster)
  const [row] = await query<{ stored: number; uncounted: number; wrong: number }>(
    service.db,
    sql`
      with mine as (select * from deployments where user_id = ${userId})
      select (select count(*)::int from mine) as stored,
        (select count(*)::int from mine)
          - (select coalesce(sum(deployments), 0)::int from daily_deployments where user_id = ${userId}) as uncounted,
        (
          select count(*)::int from latest_deployments l where user_id = ${userId} and deployed_at is distinct from (
            select max(deployed_at) from mine where l.scope = any(scopes)
          )
        ) + (
          select count(*)::int from targets t where user_id = ${userId} and deployed_at is distinct from (
            select max(deployed_at) from mine where t.target = mine.target
          )
        ) as wrong`,
  )
  return row ?? { stored: Number.NaN, uncounted: Number.NaN, wrong: Number.NaN }
}
