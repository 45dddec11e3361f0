import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { rowsOf } from '../database/sql.ts'
import { tokenWorks } from './account/tokens.ts'

/** How many posts of a user count in the last minute, and the seconds until the oldest no longer does. */
export type Quota = { readonly posted: number; readonly freeInSeconds: number }

/**
 * The quota of the user whose token has this hash, or null if the token is not valid. For calls that are not
 * recorded; the others learn it from the recording itself.
 */
export async function quotaOf(db: Db, tokenHash: string, ratePerMinute: number): Promise<Quota | null> {
  const [row] = await db.run((queries) =>
    rowsOf<{ posted: number; free_in_seconds: number }>(
      queries,
      sql`
        select r.posted, ${freeInSeconds(sql`r.oldest`)} as free_in_seconds
        from tokens
        cross join lateral (${recentPosts(sql`tokens.user_id`, ratePerMinute)}) r
        where tokens.hash = ${tokenHash} and ${tokenWorks}`,
    ),
  )
  return row === undefined ? null : { posted: row.posted, freeInSeconds: row.free_in_seconds }
}

/**
 * The count and the oldest of a user's posts in the last minute, withdrawn ones included. Never reads more
 * rows than twice the rate. Posts in the future, from a clock that was ahead, do not count.
 */
export function recentPosts(userId: SQL, ratePerMinute: number): SQL {
  return sql`
    select count(*)::int as posted, min(deployed_at) as oldest
    from (
      (select deployed_at from deployments where user_id = ${userId} order by id desc limit ${ratePerMinute})
      union all
      (
        select deployed_at from withdrawals
        where user_id = ${userId} and deployed_at > ${aMinuteAgo} and deployed_at <= statement_timestamp()
        limit ${ratePerMinute}
      )
    ) last
    where deployed_at > ${aMinuteAgo} and deployed_at <= statement_timestamp()`
}

const aMinuteAgo = sql`statement_timestamp() - interval '1 minute'`

/** Whether this many posts in the last minute reach the rate; a rate of 0 is no limit. */
export function isOverRate(posted: SQL, ratePerMinute: number): SQL {
  return sql`(${ratePerMinute}::int > 0 and ${posted} >= ${ratePerMinute}::int)`
}

/** From 1 to 60. */
export function freeInSeconds(oldest: SQL): SQL {
  return sql`least(60, greatest(1, ceil(60 - extract(epoch from
    statement_timestamp() - coalesce(${oldest}, statement_timestamp())))))::int`
}
