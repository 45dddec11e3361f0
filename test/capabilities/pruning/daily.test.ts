import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pruner } from '../../../src/capabilities/pruning/store.ts'
import type { Db } from '../../../src/database/db.ts'
import { day, startOfDay, utcDayOf } from '../../../src/domain/time.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { passMidnight } from '../../support/eventually.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const { db } = service
beforeEach(async () => {
  await emptyDatabase(db)
  await passMidnight()
})

test('with PRUNE_AFTER=30, the whole day 30 days ago stays, and what is older is deleted, once a day', async () => {
  const poster = await signUpPoster(service)
  const today = utcDayOf(new Date())
  const edge = startOfDay(today - 30).getTime()
  await deployed(poster, [edge - day, edge - 1, edge, edge + day])
  const told: unknown[] = []
  const prune = pruner({
    afterDays: 30,
    onPruned: (firstDay, pruned) => told.push([firstDay - today, pruned]),
  })
  await prune(db)
  expect(await left()).toEqual([edge, edge + day])
  expect(told).toEqual([[-30, { gone: 2, kept: 0 }]])

  await deployed(poster, [edge - 1])
  await prune(db)
  expect(await left()).toHaveLength(3)
  expect(told).toHaveLength(1)
})

test('of two processes one prunes, and the other one does when it looks again', async () => {
  const poster = await signUpPoster(service)
  await deployed(poster, [Date.now() - 60 * day, Date.now()])
  const told: number[] = []
  const [one, another] = ['one', 'another'].map(() =>
    pruner({ afterDays: 30, onPruned: (_, { gone }) => told.push(gone) }),
  )
  // The first has its turn, and goes on once the other one has looked.
  const hasLooked = Promise.withResolvers<void>()
  const hasTurn = Promise.withResolvers<void>()
  const held: Db = {
    ...db,
    async write(work, lane) {
      const result = await db.write(work, lane)
      hasTurn.resolve()
      await hasLooked.promise
      return result
    },
  }
  const first = one?.(held)
  await hasTurn.promise
  await another?.(db)
  hasLooked.resolve()
  await first
  expect(told).toEqual([1])
  await Promise.all([one?.(db), another?.(db)])
  expect(told).toEqual([1, 0])
})

test('the turn of a process that died ends by itself', async () => {
  await deployed(await signUpPoster(service), [Date.now() - 60 * day, Date.now()])
  const told: number[] = []
  const prune = pruner({ afterDays: 30, onPruned: (_, { gone }) => told.push(gone) })
  for (const [seconds, expected] of [
    [30, []],
    [-1, [1]],
  ] as const) {
    await query(
      db,
      sql`
        insert into attempts values ('pruning', '', array[now()], now() + make_interval(secs => ${seconds}))
        on conflict (kind, subject) do update set expires_at = excluded.expires_at`,
    )
    await prune(db)
    expect(told).toEqual([...expected])
  }
})

async function deployed({ username }: Poster, instants: readonly number[]): Promise<void> {
  for (const instant of instants) {
    await query(
      db,
      sql`
        insert into deployments (user_id, message, scopes, deployed_at)
        select id, 'A', '{}', to_timestamp(${instant / 1000}::float8) from users where username = ${username}`,
    )
  }
}

async function left(): Promise<number[]> {
  const rows = await query<{ ms: number }>(
    db,
    sql`select (date_part('epoch', deployed_at) * 1000)::float8 as ms from deployments order by deployed_at`,
  )
  return rows.map(({ ms }) => Math.round(ms))
}
