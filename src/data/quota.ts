import { type SQL, sql } from 'drizzle-orm'
import { type Db, rowsOf } from './database.ts'

/** What a user posted in the last minute, and in how many seconds the oldest of it no longer counts. */
export type Quota = { readonly posted: number; readonly freeInSeconds: number }

/**
 * The quota of the user whose token has this hash, or null where the token is not valid. For calls that
 * are not recorded: those that are learn it from the recording itself.
 */
export async function quotaOf(db: Db, tokenHash: string, ratePerMinute: number): Promise<Quota | null> {
  const [row] = await db.run((queries) =>
    rowsOf<{ posted: number; free_in_seconds: number }>(
      queries,
      sql`
        with caller as (
          select user_id from tokens
          where hash = ${tokenHash} and (expires_at is null or expires_at > statement_timestamp())
        )
        select coalesce(r.posted, 0) as posted, ${freeInSeconds(sql`r.oldest`)} as free_in_seconds
        from caller c
        left join (${recentPosts(sql`select user_id from caller`, ratePerMinute)}) r on r.user_id = c.user_id`,
    ),
  )
  return row === undefined ? null : { posted: row.posted, freeInSeconds: row.free_in_seconds }
}

/** The posts of some users in the last minute: count and oldest. Never looks at more rows than the rate. */
export function recentPosts(userIds: SQL, ratePerMinute: number): SQL {
  return sql`
    select p.user_id, count(*)::int as posted, min(r.deployed_at) as oldest
    from (${userIds}) p
    cross join lateral (
      select deployed_at from deployments where user_id = p.user_id order by id desc limit ${ratePerMinute}
    ) r
    where r.deployed_at > statement_timestamp() - interval '1 minute'
    group by p.user_id`
}

export function freeInSeconds(oldest: SQL): SQL {
  return sql`greatest(1, ceil(60 - extract(epoch from
    statement_timestamp() - coalesce(${oldest}, statement_timestamp()))))::int`
}
