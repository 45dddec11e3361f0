import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { tallyReader } from '../../src/data/tallies.ts'
import type { Db } from '../../src/database/db.ts'
import { wholeFeed } from '../../src/domain/feed/feed.ts'
import type { Tally } from '../../src/domain/statistics/tally.ts'
import { emptyDatabase, query, runBy } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
let ada: Poster
let userId: number
beforeEach(async () => {
  await emptyDatabase(service.db)
  ada = await signUpPoster(service)
  const [found] = await query<{ id: number }>(
    service.db,
    sql`select id::int from users where username = ${ada.username}`,
  )
  userId = found?.id ?? 0
})

const countOf = ({ counts }: Tally) => counts.reduce((sum, count) => sum + count, 0)

test('a host is counted with all its projects and nothing else, at first and as deployments arrive', async () => {
  const announce = async (path: string) => {
    expect((await ada.announce({ message: 'x', url: `https://${path}` })).status).toBe(201)
  }
  const paths = ['a', 'b', 'c'].map((project) => `git.example/ada/${project}/pull/1`)
  for (const path of [...paths, 'other.example/ada/a']) await announce(path)
  const read = tallyReader(service.db)
  const ofHost = { ...wholeFeed, userId, scope: 'git.example' }
  const ofProject = { ...wholeFeed, userId, scope: 'git.example/ada/b' }
  expect([countOf(await read(ofHost)), countOf(await read(ofProject))]).toEqual([3, 1])
  for (const path of ['git.example/ada/b/pull/2', 'other.example/ada/a']) await announce(path)
  expect([countOf(await read(ofHost)), countOf(await read(ofProject))]).toEqual([4, 2])
})

test('on a slow database, a tally leaves out what it has not reached within a second, and does not call it zero', async () => {
  await query(
    service.db,
    sql`
      insert into deployments (user_id, message, category, scopes, deployed_at)
      select ${userId}, 'x', 'feature', '{}', now() - (4000 - n) * interval '10 seconds'
      from generate_series(1, 4000) n`,
  )
  let reads = 0
  const slow: Db['write'] = async (work) => {
    reads += 1
    await Bun.sleep(300)
    return await service.db.write(work)
  }
  const filter = { ...wholeFeed, by: { category: 'feature' } } as const
  const tally = await tallyReader(runBy(slow, service.db))(filter)
  expect(reads).toBeLessThan(10)
  const whole = await tallyReader(service.db)(filter)
  expect(countOf(whole)).toBe(4_000)
  expect(tally.from).toBeGreaterThan(whole.from)
  // Each bucket of the answer is complete.
  const since = (tally.from - whole.from) / (5 * 60 * 1000)
  expect(tally.counts.slice(0, -1)).toEqual(whole.counts.slice(since, since + tally.counts.length - 1))
})

test('tallies are counted one at a time, however many are asked for', async () => {
  let underWay = 0
  let most = 0
  const begun = Promise.withResolvers<void>()
  const counted: Db['write'] = async (work) => {
    underWay += 1
    most = Math.max(most, underWay)
    await begun.promise
    await Bun.sleep(10)
    return await service.db.write(work).finally(() => {
      underWay -= 1
    })
  }
  const read = tallyReader(runBy(counted, service.db))
  const environments = Array.from({ length: 30 }, (_, n) => ({ ...wholeFeed, environment: `e${n}` }))
  let refused = 0
  const asked = environments.map((filter) =>
    read(filter).catch((error) => {
      refused += 1
      throw error
    }),
  )
  const results = Promise.allSettled(asked)
  // While one is counted, twenty wait, and no more.
  await eventually('the others are refused', () => refused > 0)
  expect(refused).toBe(9)
  begun.resolve()
  // On a slow machine, some have then waited for too long.
  expect((await results).filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(1)
  expect(most).toBe(1)
})
