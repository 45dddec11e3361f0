import { type SQL, sql } from 'drizzle-orm'
import { type Db, inMs } from '../database/db.ts'
import { isBounded, type TimeRange } from '../domain/feed/time-range.ts'
import { firstImportedFrom } from '../domain/imported.ts'
import { firstAnnouncedOf } from './feed-pages.ts'
import { oneRow } from './statements.ts'

/**
 * The ids, exclusive, around what was deployed in a time and has an id below `before`: by a user with their history, or
 * by everyone (null) without.
 */
export async function idsBetween(
  db: Db,
  userId: number | null,
  time: TimeRange,
  before: number | null,
): Promise<{ readonly after?: number; readonly before: number | null }> {
  if (!isBounded(time)) return { before }
  const { from, to } = time
  const begun = sql`(select ${inMs(sql`deployed_at`)} from (${firstAnnouncedOf(sql`${userId}::bigint`)}) d)`
  const statement = sql`
    select ${from === null ? sql`0` : firstIdFrom(from)} as first, ${to === null ? sql`0` : firstIdFrom(to)} as next,
      ${userId === null ? sql`null` : begun} as begun_ms`
  type Row = { first: number; next: number; begun_ms: number | null }
  const { first, next, begun_ms } = await db.read(oneRow<Row>(statement))
  // History ends before the first announcement, so only a time around that has ids of both kinds.
  const begunBefore = (instant: Date) =>
    userId === null || (begun_ms !== null && begun_ms < instant.getTime())
  const firstAt = (instant: Date, announced: number) =>
    begunBefore(instant) ? announced : firstImportedFrom(instant)
  return {
    ...(from === null ? {} : { after: firstAt(from, first) - 1 }),
    before: to === null ? before : Math.min(firstAt(to, next), before ?? Number.MAX_SAFE_INTEGER),
  }
}

/**
 * The first announced id that is not before an instant, by binary search: each step probes the primary key. `low` is
 * always before the instant, `high` never is. The instant is passed as a number, because Postgres cannot read
 * the text that JavaScript writes for the years 0 and 10000.
 */
function firstIdFrom(instant: Date): SQL {
  return sql`(
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
    select high from search order by high - low limit 1)`
}
