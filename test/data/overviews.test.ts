import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { hashSecret } from '../../src/data/account/tokens.ts'
import { withdrawDeployment } from '../../src/data/deployments.ts'
import { profileReader } from '../../src/data/pages/profiles.ts'
import { recorder } from '../../src/data/recording.ts'
import type { DeploymentDay, Overview } from '../../src/domain/statistics/overview.ts'
import { utcDayOf } from '../../src/domain/time.ts'
import { query } from '../support/database.ts'
import { userIdOf } from '../support/deployments.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()

const links = [
  'https://github.com/ada/engine/pull/1',
  'https://github.com/ada/engine/pull/2',
  'https://github.com/ada/notes/pull/1',
  'https://app.example.com/changelog',
  null,
]

test('counts that are kept up to date through announcements and withdrawals equal a recount', async () => {
  const record = recorder(service.db, 0)
  const batch = fc.array(fc.constantFrom(...links), { minLength: 1, maxLength: 6 })
  const act = fc.oneof(batch, fc.record({ withdraw: fc.nat() }))
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 8 }), async (acts) => {
      const [ada, grace] = [await signUpPoster(service), await signUpPoster(service)]
      const userId = await userIdOf(service.db, ada)
      const ids: number[] = []
      for (const step of acts) {
        if (Array.isArray(step)) {
          const announce = (poster: Poster) => (url: string | null) => record(call(poster, url, null))
          const results = await Promise.all([
            ...step.map(announce(ada)),
            ...step.slice(1).map(announce(grace)),
          ])
          for (const result of results.slice(0, step.length)) {
            if (result.outcome === 'created') ids.push(result.recorded.id)
          }
        } else {
          const [id] = ids.splice(step.withdraw % Math.max(1, ids.length), 1)
          if (id !== undefined) expect(await withdrawDeployment(service.db, { userId, id })).toBe(true)
        }
        expect(await kept(userId)).toEqual(await countedAfterwards(userId))
      }
      const { days } = await kept(userId)
      expect(days.reduce((sum, { deployments }) => sum + deployments, 0)).toBe(ids.length)
    }),
    { numRuns: 12 },
  )
})

test('refused and replayed announcements are not counted', async () => {
  const poster = await signUpPoster(service)
  const userId = await userIdOf(service.db, poster)
  const record = recorder(service.db, 0)
  const first = call(poster, 'https://first.example', 'k')
  await record(first)
  const before = await kept(userId)
  expect(before.targets.map(({ target }) => target)).toEqual(['first.example'])
  expect((await record(first)).outcome).toBe('replayed')
  const limited = recorder(service.db, 1)
  expect((await limited(call(poster, 'https://second.example', null))).outcome).toBe('rate_limited')
  expect(await kept(userId)).toEqual(before)
})

describe('An overview', () => {
  test('of a user who never deployed is empty', async () => {
    const { now, ...rest } = await overviewOf(await signUpPoster(service))
    expect(rest).toEqual({ days: [], firstDay: null, firstAnnouncedDay: null, recent: [], targets: [] })
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000)
  })

  test('has the newest 365 days, 100 instants and 100 targets', async () => {
    const poster = await signUpPoster(service)
    const userId = await userIdOf(service.db, poster)
    const stored = await query<DeploymentDay>(
      service.db,
      sql`
        insert into daily_deployments (user_id, day, deployments)
        select ${userId}, (now() at time zone 'UTC')::date - n, 1 + n from generate_series(0, 365) n
        returning day - date '1970-01-01' as day, deployments`,
    )
    await query(
      service.db,
      sql`
        insert into targets (user_id, target, deployed_at)
        select ${userId}, n || '.example', now() - make_interval(mins => n) from generate_series(1, 1001) n`,
    )
    await query(
      service.db,
      sql`
        insert into deployments (user_id, message, scopes, deployed_at)
        select ${userId}, 'A', '{}', now() - make_interval(mins => 101 - n) from generate_series(0, 100) n`,
    )
    const { days, firstDay, recent, targets, now } = await overviewOf(poster)
    expect(firstDay).toBe(stored.at(-1)?.day ?? 0)
    // One less if midnight passed in between.
    const ofYear = stored.filter(({ day }) => day > utcDayOf(now) - 365).toReversed()
    expect(ofYear.length).toBeWithin(364, 366)
    expect(days).toEqual(ofYear)
    expect(recent).toHaveLength(100)
    expect(recent).toEqual(recent.toSorted((a, b) => b.getTime() - a.getTime()))
    expect(targets).toHaveLength(100)
    expect([targets[0]?.target, targets[99]?.target]).toEqual(['1.example', '100.example'])
  })
})

test('profiles that are read in one statement are not mixed up, may be of the same user, and are null for an unknown one', async () => {
  const [ada, grace] = [await signUpPoster(service), await signUpPoster(service)]
  await ada.announce({ message: 'By Ada', url: 'https://ada.example' })
  await grace.announce({ message: 'By Grace' })
  const names = [ada.username, 'nobody-here', grace.username, ada.username]
  const profiles = await Promise.all(names.map(profileReader(service.db)))
  expect(profiles.map((profile) => profile?.user.username)).toEqual([
    ada.username,
    undefined,
    grace.username,
    ada.username,
  ])
  expect(profiles.map((profile) => profile?.newest.deployments.map(({ message }) => message))).toEqual([
    ['By Ada'],
    undefined,
    ['By Grace'],
    ['By Ada'],
  ])
  expect(profiles.map((profile) => profile?.overview.targets.length)).toEqual([1, undefined, 0, 1])
})

async function overviewOf({ username }: Poster): Promise<Overview> {
  const profile = await profileReader(service.db)(username)
  if (profile === null) throw new Error(`${username} has no profile`)
  return profile.overview
}

function call({ token }: Poster, url: string | null, idempotencyKey: string | null) {
  return { tokenHash: hashSecret(token), announcement: { message: 'A', url, category: null }, idempotencyKey }
}

type Counts = {
  days: readonly { day: string; deployments: number }[]
  targetDays: readonly { target: string; day: string; deployments: number }[]
  targets: readonly { target: string; at: string }[]
}

/** The counts of a user, from the derived tables. */
async function kept(userId: number): Promise<Counts> {
  return {
    days: await query(
      service.db,
      sql`select day::text as day, deployments from daily_deployments where user_id = ${userId} order by day`,
    ),
    targetDays: await query(
      service.db,
      sql`
        select target, day::text as day, deployments from target_days
        where user_id = ${userId} order by target, day`,
    ),
    targets: await query(
      service.db,
      sql`select target, deployed_at::text as at from targets where user_id = ${userId} order by target`,
    ),
  }
}

/** The same counts, from the deployments themselves. */
async function countedAfterwards(userId: number): Promise<Counts> {
  return {
    days: await query(
      service.db,
      sql`
        select (deployed_at at time zone 'UTC')::date::text as day, count(*)::int as deployments
        from deployments where user_id = ${userId} group by 1 order by 1`,
    ),
    targetDays: await query(
      service.db,
      sql`
        select target, (deployed_at at time zone 'UTC')::date::text as day, count(*)::int as deployments
        from deployments where user_id = ${userId} and target is not null group by 1, 2 order by 1, 2`,
    ),
    targets: await query(
      service.db,
      sql`
        select target, max(deployed_at)::text as at
        from deployments where user_id = ${userId} and target is not null group by 1 order by 1`,
    ),
  }
}
