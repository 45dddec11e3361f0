import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import { writeDump } from '../../../src/capabilities/backups/write.ts'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { withdrawDeployment } from '../../../src/data/deployments.ts'
import { recorder } from '../../../src/data/recording.ts'
import { Unavailable } from '../../../src/database/errors.ts'
import { tables } from '../../../src/table-uses.ts'
import { openTestDatabase, query } from '../../support/database.ts'
import { opened, streamOf } from '../../support/dump/dumps.ts'
import { eventually, patience } from '../../support/eventually.ts'

/** On a busy machine a withdrawal may give up; its deployment stays. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof Unavailable)) throw error
}

test('A dump shows one instant of a database that is written to, and blocks no writer', async () => {
  await using busy = await opened(openTestDatabase())
  const { db } = busy
  await query(db, sql`insert into users (username, name, password_hash) values ('ada', 'Ada', '')`)
  await query(
    db,
    sql`insert into tokens (hash, user_id, last_four) values (${hashSecret('token')}, 1, 'oken')`,
  )
  const [ids] = await query<{ drawn: string }>(
    db,
    sql`select case when is_called then last_value else 0 end as drawn from deployments_id_seq`,
  )
  const record = recorder(db, 0)
  const acknowledged: number[] = []
  let isOver = false
  let longestMs = 0
  const writers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const begin = performance.now()
      const announcement = { message: 'Shipped', url: 'https://github.com/ada/engine', category: null }
      const result = await record({ tokenHash: hashSecret('token'), announcement, idempotencyKey: null })
      longestMs = Math.max(longestMs, performance.now() - begin)
      if (result.outcome === 'created') acknowledged.push(result.recorded.id)
      await Bun.sleep(1)
    }
  })
  const withdrawing = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const id = acknowledged[n]
      if (id !== undefined) await withdrawDeployment(db, { userId: 1, id }).catch(ignoreUnavailable)
      await Bun.sleep(5)
    }
  })()
  await eventually('there is something to dump', () => acknowledged.length > 100)
  const highest = Math.max(...acknowledged)
  const chunks: Uint8Array[] = []
  let before: number | null = null
  await writeDump(db, tables, async (chunk) => {
    chunks.push(chunk)
    before ??= acknowledged.length
    // However quick the dump is, others write during it.
    const enough = before + 10
    await eventually('others go on', () => acknowledged.length > enough)
  })
  const bytes = Uint8Array.from(Buffer.concat(chunks))
  isOver = true
  await Promise.all([...writers, withdrawing])

  // The deadline of a call: a slower one would have failed.
  expect(longestMs).toBeLessThan(patience(2_000))
  await using there = await opened(openTestDatabase())
  await restoreDump(there.db, tables, streamOf(bytes))
  const [found] = await query(
    there.db,
    sql`
      select (select max(id) from deployments) >= ${highest} as has_all_before,
        ${ids?.drawn}::bigint + (select count(*) from deployments) + 2 * (select count(*) from withdrawals)
          = (select greatest(max(d.id), max(w.id)) from deployments d, withdrawals w) as has_every_id,
        (select sum(deployments) from daily_deployments) = (select count(*) from deployments) as counts_agree,
        (select deployed_at from latest_deployments where scope = '')
          = (select deployed_at from deployments order by id desc limit 1) as latest_agrees,
        (select last_value from deployments_id_seq)
          >= (select greatest(max(d.id), max(w.id)) from deployments d, withdrawals w) as ids_go_on`,
  )
  expect(found).toEqual({
    has_all_before: true,
    has_every_id: true,
    counts_agree: true,
    latest_agrees: true,
    ids_go_on: true,
  })
})
