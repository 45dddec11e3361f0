import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type Aside, indexWords } from '../../../src/capabilities/search/indexing.ts'
import { isOutage } from '../../../src/database/errors.ts'
import { batchSize } from '../../../src/domain/feed/id-batch.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const { db } = service
let first: number

beforeAll(async () => {
  await emptyDatabase(db)
  const userId = await userIdOf(db, await signUpPoster(service))
  const [last] = await query<{ id: number }>(db, sql`select last_value as id from deployments_id_seq`)
  first = Math.floor((last?.id ?? 0) / batchSize) + 1
  await query(db, sql`select setval('deployments_id_seq', ${first * batchSize - 1}::bigint)`)
  await query(
    db,
    sql`
      insert into deployments (user_id, message, scopes, deployed_at)
      select ${userId}, 'word' || n, array[''], now() from generate_series(1, ${3 * batchSize + 1}::int) n`,
  )
})

const indexed = async () =>
  (await query<{ batch: number }>(db, sql`select batch from search_batches order by batch`)).map(
    ({ batch }) => batch - first,
  )

const changed = async () =>
  (await query<{ batch: number }>(db, sql`select distinct batch from search_changes order by batch`)).map(
    ({ batch }) => batch - first,
  )

const change = (batch: number) =>
  query(db, sql`update deployments set message = 'other' where id = ${(first + batch) * batchSize}::bigint`)

/** Makes every write of the pages of a batch fail with this SQLSTATE. */
async function breakBatch(batch: number, state: string): Promise<void> {
  await db.write((queries) =>
    queries.execute(
      sql.raw(`
        create or replace function broken() returns trigger language plpgsql as $$
        begin raise 'it is broken' using errcode = '${state}'; end $$;
        create or replace trigger broken before insert on search_pages for each row
        when (new.batch = ${first + batch}) execute function broken()`),
    ),
  )
}
const mend = () => query(db, sql`drop trigger broken on search_pages`)

test('a batch that fails is tried again later, is told the third time, and stops no other one', async () => {
  const aside: Aside = new Map()
  await breakBatch(1, '57014')
  const errors: unknown[] = []
  const attempt = () => indexWords(db, aside).catch((error: unknown) => errors.push(error))
  const untilDue = () => {
    for (const [batch, { failures }] of aside) aside.set(batch, { until: 0, failures })
  }
  // The newest goes first, and each that fails ends the attempt.
  await attempt()
  expect(await indexed()).toEqual([2])
  await attempt()
  expect(errors).toHaveLength(1)
  await mend()
  untilDue()
  await attempt()
  expect(await indexed()).toEqual([0, 1, 2])

  await Promise.all([0, 1, 2].map(change))
  await breakBatch(2, '57014')
  errors.length = 0
  aside.clear()
  for (let n = 0; n < 3; n += 1) {
    await attempt()
    untilDue()
  }
  expect(errors.map((error) => isOutage(error))).toEqual([true, true, false])
  expect(String(errors[2])).toContain('it is broken')
  // While it waits, the others are indexed.
  aside.set(first + 2, { until: Number.POSITIVE_INFINITY, failures: 3 })
  await attempt()
  expect(errors).toHaveLength(3)
  expect(await changed()).toEqual([2])
  await mend()
  aside.clear()
  await attempt()
  expect(await changed()).toEqual([])
})

test('a batch that was indexed again waits before it is again', async () => {
  const aside: Aside = new Map()
  for (const expected of [[], [1]]) {
    await change(1)
    await indexWords(db, aside)
    expect(await changed()).toEqual(expected)
  }
  await indexWords(db)
  expect(await changed()).toEqual([])
})
