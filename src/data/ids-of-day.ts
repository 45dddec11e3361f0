import { type SQL, sql } from 'drizzle-orm'
import { type Db, inMs } from '../database/db.ts'
import { firstImportedFrom } from '../domain/history.ts'
import { startOfDay } from '../domain/time.ts'
import { firstAnnouncedOf } from './newest-rows.ts'
import { oneRow } from './statements.ts'

/** The deployments of a day have ids between these two, both exclusive. */
export type IdsOfDay = { readonly after: number; readonly before: number }

/**
 * Finds the ids of a user's UTC day, which is given as its number since 1970. Ids are in the order of time, unless
 * a clock was set back, so a list of a day walks the same index as the whole list. A user's history ends before their
 * first announcement, so only the day of that announcement has ids of both kinds. Throws Unavailable.
 */
export async function idsOfDay(db: Db, userId: number, day: number): Promise<IdsOfDay> {
  const [start, end] = [startOfDay(day), startOfDay(day + 1)]
  const { first, next, begun_ms } = await db.read(
    oneRow<{ first: number; next: number; begun_ms: number | null }>(sql`
      select (${firstIdFrom(start)}) as first, (${firstIdFrom(end)}) as next,
        (select ${inMs(sql`deployed_at`)} from (${firstAnnouncedOf(sql`${userId}::bigint`)}) d) as begun_ms`),
  )
  const imported = { after: firstImportedFrom(start) - 1, before: firstImportedFrom(end) }
  if (begun_ms === null || begun_ms >= end.getTime()) return imported
  return { after: begun_ms < start.getTime() ? first - 1 : imported.after, before: next }
}

/**
 * The first announced id that is not before an instant, by binary search: each step probes the primary key. `low` is
 * always before the instant, `high` never is. The instant is passed as a number, because Postgres cannot read
 * the text that JavaScript writes for the years 0 and 10000.
 */
function firstIdFrom(instant: Date): SQL {
  return sql`
    with recursive search (low, high) as (
      select 0::bigint, greatest(0, (select id from deployments order by id desc limit 1)) + 1
      union all
      select case when is_before then middle else low end, case when is_before then high else middle end
      from (
        select low, high, middle, coalesce((
          select deployed_at < to_timestamp(${instant.getTime() / 1000}::float8) from deployments
          where id >= middle order by id limit 1
        ), false) as is_before
        from (select low, high, (low + high) / 2 as middle from search where high - low > 1) s
      ) s
    )
    select high from search order by high - low limit 1`
}
