import { sql } from 'drizzle-orm'
import type { Db, Queries } from '../../database/db.ts'
import { gently } from '../../database/gently.ts'
import { lockFeed } from '../../database/locks.ts'
import { rowsOf } from '../../database/sql.ts'
import { dayOf } from '../counting.ts'

/** Announcements wait for a chunk. */
const chunkSize = 500

/**
 * Counts the deployments of before there was `target_days`, chunk by chunk, the newest first, so that the part of
 * a year that people look at is right first. Throws Unavailable; going on another time does no harm.
 */
export async function countOldDays(db: Db): Promise<void> {
  while (await gently(() => db.run(countChunk))) {}
}

/** Counts a chunk; false if there was nothing left. */
async function countChunk(queries: Queries): Promise<boolean> {
  const [waiting] = await rowsOf(queries, sql`select from uncounted_days`)
  if (waiting === undefined) return false
  await queries.transaction(async (transaction) => {
    // Sent at once: announcements wait for the first lock, and whoever deletes waits for the second.
    await Promise.all([
      lockFeed(transaction),
      transaction.execute(sql`select from uncounted_days for update`),
      transaction.execute(countNext),
    ])
  })
  return true
}

const countNext = sql`
  with chunk as materialized (
    select id, user_id, target, deployed_at from deployments
    where id <= (select up_to from uncounted_days) order by id desc limit ${chunkSize}
  ),
  counted as (
    insert into target_days as d (user_id, target, day, deployments)
    select user_id, target, ${dayOf(sql`deployed_at`)}, count(*) from chunk where target is not null group by 1, 2, 3
    on conflict (user_id, target, day) do update set deployments = d.deployments + excluded.deployments
  ),
  done as (delete from uncounted_days where not exists (select from chunk))
  update uncounted_days set up_to = (select min(id) - 1 from chunk) where exists (select from chunk)`
