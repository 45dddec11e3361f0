import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { coalesce } from '../database/coalesce.ts'
import type { Db } from '../database/db.ts'
import { observed } from '../database/observed.ts'
import { rowsOf, texts } from '../database/sql.ts'
import { refusals } from './schema.ts'

/** How many are kept for each user. */
export const refusalsKept = 20

/**
 * A refused call with somebody's token. The reason holds nothing that the call carried; the source tells the
 * call from those of other pipelines (domain/call-source.ts).
 */
export type Refusal = { readonly status: number; readonly reason: string; readonly source: string | null }

/** Whose call it was: a token's owner's, or where there is no token yet, a publisher's. */
type Refused = Refusal & ({ readonly tokenHash: string } | { readonly publisherId: number })

/** A pipeline that ignores these repeats them by the thousand: one a minute says as much. */
const onceAMinute = [401, 429]

/**
 * Makes the function that keeps a refused call for the owner of its token or publisher, many in one statement and the
 * newest 20 for each owner. A token without an owner keeps nothing. Throws Unavailable.
 */
export function refusalRecorder(db: Db): (refusal: Refused) => Promise<void> {
  const ask = observed<Refused, void>(db, 'refusals', async (batch) => {
    await db.run((queries) => rowsOf(queries, keepStatement(batch)))
    return batch.map(() => undefined)
  })
  return coalesce(ask, { inFlight: 1, batchSize: 500 })
}

/** A statement does not see what it inserts, so the trimming makes room for just those rows. */
function keepStatement(batch: readonly Refused[]): SQL {
  return sql`
    with refused as (
      select c.*, t.user_id
      from unnest(
        ${texts(batch.map((one) => ('tokenHash' in one ? one.tokenHash : null)))},
        ${texts(batch.map((one) => ('publisherId' in one ? String(one.publisherId) : null)))}::int8[],
        ${texts(batch.map(({ status }) => String(status)))}::int[],
        ${texts(batch.map(({ reason }) => reason))}, ${texts(batch.map(({ source }) => source ?? ''))}
      ) with ordinality as c(token_hash, publisher_id, status, reason, source, n)
      cross join lateral (
        select user_id from tokens where hash = c.token_hash
        union all select user_id from publishers where id = c.publisher_id
        limit 1
      ) t
    ),
    flooding as (
      select *, status = any(${texts(onceAMinute.map(String))}::int[]) as is_flood from refused
    ),
    told as (
      select *, row_number() over (partition by user_id order by n desc) as place
      from (
        select *, is_flood and row_number() over (partition by user_id, status order by n) > 1 as is_repeated
        from flooding
      ) f
      where not is_repeated and not (is_flood and exists (
        select from (
          select status, refused_at from refusals where user_id = f.user_id order by id desc limit ${refusalsKept}
        ) last
        where last.status = f.status and last.refused_at > statement_timestamp() - interval '1 minute'
      ))
    ),
    inserted as (
      insert into refusals (user_id, status, reason, source, refused_at)
      select user_id, status, reason, nullif(source, ''), statement_timestamp() from told where place <= ${refusalsKept}::int order by n
    )
    delete from refusals where id in (
      select old.id
      from (select user_id, least(count(*), ${refusalsKept}::int) as room from told group by user_id) u
      cross join lateral (
        select id from refusals where user_id = u.user_id order by id desc offset ${refusalsKept}::int - u.room
      ) old
    )`
}

/** The refused calls of a user, the newest first. */
export async function listRefusals(
  db: Db,
  userId: number,
): Promise<readonly (Refusal & { refusedAt: Date })[]> {
  return await db.run((queries) =>
    queries
      .select({
        status: refusals.status,
        reason: refusals.reason,
        source: refusals.source,
        refusedAt: refusals.refusedAt,
      })
      .from(refusals)
      .where(eq(refusals.userId, userId))
      .orderBy(desc(refusals.id))
      .limit(refusalsKept),
  )
}
