import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { batch } from '../database/batch.ts'
import { type Db, texts } from '../database/db.ts'
import { maxRefusedCalls, type RefusedCall } from '../domain/refused-call.ts'
import { allRows } from './statements.ts'
import { refusals } from './tables.ts'

/** The call belongs to the owner of its token or, without a token yet, of its publisher. */
type Refused = Pick<RefusedCall, 'status' | 'reason' | 'source'> &
  ({ readonly tokenHash: string } | { readonly publisherId: number })

/** A pipeline that ignores these statuses repeats the call thousands of times, so we keep one a minute. */
const floodStatuses = ['401', '429']

/** Makes the function that keeps a refused call for the owner of its token or publisher. */
export function refusalRecorder(db: Db): (refusal: Refused) => Promise<void> {
  const keep = async (refused: readonly Refused[]) => {
    await db.write(allRows(keepStatement(refused)), 'reserved')
    return refused.map(() => undefined)
  }
  return batch(db, 'refusals', keep, { inFlight: 1, batchSize: 500 })
}

/** A statement does not see the rows that it inserts, so the deletion makes room for exactly those. */
function keepStatement(refused: readonly Refused[]): SQL {
  return sql`
    with refused as (
      select c.*, t.user_id, t.token
      from rows from (json_to_recordset(${JSON.stringify(refused)}::json)
        as ("tokenHash" text, "publisherId" int8, status int, reason text, source text))
        with ordinality as c(token_hash, publisher_id, status, reason, source, n)
      cross join lateral (
        select user_id, case when tokens.publisher_id is null then name end as token from tokens where hash = c.token_hash
        union all select user_id, null from publishers where id = c.publisher_id
        limit 1
      ) t
    ),
    flooding as (select *, status = any(${texts(floodStatuses)}::int[]) as is_flood from refused),
    told as (
      select *, row_number() over (partition by user_id order by n desc) as place from (
        select *, is_flood and row_number() over (partition by user_id, status order by n) > 1 as is_repeated
        from flooding
      ) f
      where not is_repeated and not (is_flood and exists (
        select from (
          select status, refused_at from refusals where user_id = f.user_id order by id desc limit ${maxRefusedCalls}
        ) last where last.status = f.status and last.refused_at > statement_timestamp() - interval '1 minute'
      ))
    ),
    inserted as (
      insert into refusals (user_id, status, reason, source, token, refused_at)
      select user_id, status, reason, source, token, statement_timestamp()
      from told where place <= ${maxRefusedCalls}::int order by n
    )
    delete from refusals where id in (
      select old.id from (select user_id, least(count(*), ${maxRefusedCalls}::int) as room from told group by user_id) u
      cross join lateral (
        select id from refusals where user_id = u.user_id order by id desc offset ${maxRefusedCalls}::int - u.room
      ) old
    )`
}

/** The refused calls of a user, the newest first. */
export async function listRefusals(db: Db, userId: number): Promise<readonly RefusedCall[]> {
  const { status, reason, source, token, refusedAt } = refusals
  return await db.readPrimary((queries) =>
    queries
      .select({ status, reason, source, token, refusedAt })
      .from(refusals)
      .where(eq(refusals.userId, userId))
      .orderBy(desc(refusals.id))
      .limit(maxRefusedCalls),
  )
}
