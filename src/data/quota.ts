import { sql } from 'drizzle-orm'
import { batch } from '../database/batch.ts'
import type { Db } from '../database/db.ts'
import { inMs, nowInMs, rowsOf, texts } from '../database/sql.ts'
import { type Quota, quotaAt } from '../domain/rate-limits.ts'
import { tokenWorks } from './account/tokens.ts'

/**
 * Makes the function that returns the quota of the user whose token has this hash, or null if the token is
 * not valid. This is for refused calls, because recording a call returns the quota too. Throws Unavailable.
 */
export function quotaReader(db: Db, ratePerMinute: number): (tokenHash: string) => Promise<Quota | null> {
  return batch(db, 'quotas', (hashes: readonly string[]) => readQuotas(db, hashes, ratePerMinute), {
    inFlight: 1,
    batchSize: 500,
  })
}

type Row = { hash: string; posted: number; oldest_ms: number | null; now_ms: number }

async function readQuotas(
  db: Db,
  tokenHashes: readonly string[],
  ratePerMinute: number,
): Promise<readonly (Quota | null)[]> {
  const rows = await db.run(
    (queries) =>
      rowsOf<Row>(
        queries,
        sql`
          select hash, posted, ${inMs(sql`oldest`)} as oldest_ms, ${nowInMs} as now_ms
          from tokens cross join lateral posts_of_last_minute(user_id, ${ratePerMinute}, statement_timestamp())
          where hash = any(${texts(tokenHashes)}) and ${tokenWorks}`,
      ),
    'reserved',
    'nothing',
  )
  const quotas = new Map(
    rows.map(({ hash, posted, oldest_ms, now_ms }) => [
      hash,
      quotaAt(now_ms, { posted: Number(posted), oldestMs: oldest_ms }),
    ]),
  )
  return tokenHashes.map((hash) => quotas.get(hash) ?? null)
}
