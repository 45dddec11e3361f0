import { sql } from 'drizzle-orm'
import { allRows } from '../../data/statements.ts'
import type { Db } from '../../database/db.ts'
import type { KnownState } from './rules.ts'
import type { StoredIntake } from './store.ts'

/** Among so many of a user's newest deployments, a state of an object is looked for. */
const maxLooked = 1_000

/**
 * The newest state of an object whose keys start with `series`: of a call that waits, else of a deployment. Calls that
 * are kept know it even if the deployment was withdrawn. Null if there is none.
 */
export async function findNewestState(
  db: Db,
  { id, userId }: Pick<StoredIntake, 'id' | 'userId'>,
  series: string,
): Promise<KnownState | null> {
  const statement = sql`
    select key, coalesce(deployment_id::text, 'w' || call_id) as place from (
      select key, deployment_id, id as call_id from intake_calls
      where intake_id = ${id} and (waiting is not null or deployment_id is not null)
      union all
      select idempotency_key, id, 0 from (
        select idempotency_key, id from deployments
        where user_id = ${userId}::bigint order by id desc limit ${maxLooked}
      ) newest
    ) states
    where starts_with(key, ${series})
    order by deployment_id desc nulls first, call_id desc limit 1`
  const [newest] = await db.readPrimary(allRows<KnownState>(statement))
  return newest ?? null
}
