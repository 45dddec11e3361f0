import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { countOldDays } from '../../../src/data/upkeep/old-days.ts'
import { withdrawDeployment } from '../../../src/data/withdrawals.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

/** More than two chunks. */
const old = 1_100

test('deployments of before are counted in the background, also while some come and some go', async () => {
  await emptyDatabase(service.db)
  const poster = await signUpPoster(service)
  const [owner] = await query<{ id: number }>(
    service.db,
    sql`select id::int as id from users where username = ${poster.username}`,
  )
  const userId = owner?.id ?? 0
  await query(
    service.db,
    sql`
      insert into deployments (user_id, message, scopes, target, deployed_at)
      select ${userId}, 'A', '{}', case when n % 7 > 0 then 'p' || n % 3 || '.example' end,
        now() - make_interval(hours => ${old} - n)
      from generate_series(1, ${old}) n`,
  )
  // As the migration leaves them.
  await query(service.db, sql`delete from target_days`)
  await query(service.db, sql`insert into uncounted_days select max(id) from deployments`)
  const ids = await query<{ id: number }>(
    service.db,
    sql`select id::int as id from deployments where user_id = ${userId} order by id`,
  )
  await poster.announce({ message: 'B', url: 'https://p1.example' })

  const counting = countOldDays(service.db)
  for (const place of [0, 1, 2, 550, 551, 552, old - 3, old - 2, old - 1]) {
    await withdrawDeployment(service.db, { userId, id: ids[place]?.id ?? 0 })
  }
  await poster.announce({ message: 'C', url: 'https://p1.example' })
  await counting

  expect(await query(service.db, sql`select from uncounted_days`)).toEqual([])
  const counted = await query(
    service.db,
    sql`select target, day::text as day, deployments from target_days order by target, day`,
  )
  expect(counted.length).toBeGreaterThan(100)
  expect(counted).toEqual(
    await query(
      service.db,
      sql`
        select target, (deployed_at at time zone 'UTC')::date::text as day, count(*)::int as deployments
        from deployments where target is not null group by 1, 2 order by 1, 2`,
    ),
  )
})
