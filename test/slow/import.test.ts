import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ImportItem } from '../../src/capabilities/import/rules.ts'
import { recordImport } from '../../src/capabilities/import/store.ts'
import { idsPerSecond, importOrigin } from '../../src/domain/imported.ts'
import { query } from '../support/database.ts'
import { userIdOf } from '../support/deployments.ts'
import { patience } from '../support/eventually.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const { db, ...service } = await useService()

const second = 1_400_000_000
const first = second * idsPerSecond - importOrigin

/** A call of a hundred times this would take minutes if it tried one id after another. */
const longestMs = 5_000

test('history finds free ids in a second that others have nearly filled, and is refused by name when none is left', async () => {
  const grace = await userIdOf(db, await signUpPoster(service))
  const occupy = (parts: number) =>
    db.writeAtLength((transaction) =>
      transaction.execute(sql`
        insert into deployments (id, user_id, message, scopes, deployed_at)
        select ${first}::bigint + n, ${grace}, 'other', '{""}', to_timestamp(${second}::int)
        from generate_series(0, ${idsPerSecond - 1}::int) n where n % 50 < ${parts}::int
        on conflict do nothing`),
    )
  await occupy(49)
  expect(await resultsOfAnother()).toEqual({ added: 300, crowded: 0 })
  await occupy(50)
  expect(await resultsOfAnother()).toEqual({ added: 0, crowded: 300 })
  await query(db, sql`delete from deployments where user_id = ${grace} and id % 1000 = 0`)
  expect(await resultsOfAnother()).toEqual({ added: 20, crowded: 280 })
})

async function resultsOfAnother() {
  const userId = await userIdOf(db, await signUpPoster(service))
  const begin = performance.now()
  const answer = await recordImport(db, { userId, token: null }, Array.from({ length: 300 }, item))
  expect(performance.now() - begin).toBeLessThan(patience(longestMs))
  const results = answer.outcome === 'judged' ? answer.results : []
  const count = (wanted: string) => results.filter((result) => result === wanted).length
  return { added: count('added'), crowded: count('crowded') }
}

function item(_: unknown, n: number): ImportItem {
  const announcement = { message: 'Old', url: null, category: null }
  return { announcement, deployedAt: new Date(second * 1_000), key: `k${n}` }
}
