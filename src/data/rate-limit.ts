import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { inMs, nowInMs, rowsOf } from '../database/sql.ts'
import { type Quota, quotaAt } from '../domain/quota.ts'
import { tokenWorks } from './account/tokens.ts'

/**
 * The quota of the user whose token has this hash, or null if the token is not valid. For calls that are not
 * recorded; the others learn it from the recording itself.
 */
export async function quotaOf(db: Db, tokenHash: string, ratePerMinute: number): Promise<Quota | null> {
  const [row] = await db.run((queries) =>
    rowsOf<{ posted: number; oldest_ms: number | null; now_ms: number }>(
      queries,
      sql`
        select posted, ${inMs(sql`oldest`)} as oldest_ms, ${nowInMs} as now_ms
        from tokens cross join lateral posts_of_last_minute(user_id, ${ratePerMinute}, statement_timestamp())
        where tokens.hash = ${tokenHash} and ${tokenWorks}`,
    ),
  )
  return row === undefined
    ? null
    : quotaAt(row.now_ms, { posted: Number(row.posted), oldestMs: row.oldest_ms })
}
