import { type SQL, sql } from 'drizzle-orm'
import type { Db, Queries } from '../database/db.ts'
import { gently } from '../database/gently.ts'
import { oneRowOf } from '../database/sql.ts'
import { dayOf } from './counting.ts'
import { newestInEnvironment } from './feed-part.ts'

/** What a pruning came to: numbers of deployments. */
export type Pruned = { readonly gone: number; readonly kept: number }

type Options = {
  /** Deployments from before this instant go. */
  readonly before: Date
  /** Whether nothing is deleted, and only counted. */
  readonly isDryRun: boolean
}

/** Few enough for a statement of some milliseconds. */
const chunkSize = 500

/**
 * Deletes old deployments, and takes them out of the days that they counted for. The last one of each scope and
 * target stays, so that no badge changes (docs/decisions.md#operation). Chunk by chunk, the oldest first; going
 * on another time does no harm. Throws Unavailable.
 */
export async function pruneDeployments(db: Db, options: Options): Promise<Pruned> {
  let total: Pruned = { gone: 0, kept: 0 }
  for (let after = 0; ; ) {
    const { last, old, kept } = await gently(() => db.run((queries) => pruneChunk(queries, after, options)))
    total = { gone: total.gone + old - kept, kept: total.kept + kept }
    // Ids are in the order of the instants, but where a clock was set back.
    if (last === null || old === 0) return total
    after = Number(last)
  }
}

/** Whether links wait to be read by today's rule: what counts as the last one is known only after that. */
export async function areLinksUnread(db: Db): Promise<boolean> {
  const { unread } = await db.run((queries) =>
    oneRowOf<{ unread: boolean }>(
      queries,
      sql`select exists (select from deployments where target_rule is null and url is not null) as unread`,
    ),
  )
  return unread
}

/** Lets new deployments have the room of deleted ones: the embedded database does so only when it is told. */
export async function reuseRoom(db: Db): Promise<void> {
  await db.run((queries) => queries.execute(sql`vacuum deployments`))
}

/** `last` is the last id that was looked at, null if there was none; `old` are those from before the instant. */
type Chunk = { readonly last: string | null; readonly old: number; readonly kept: number }

async function pruneChunk(queries: Queries, after: number, { before, isDryRun }: Options): Promise<Chunk> {
  const walked = sql`
    select ctid, id, user_id, deployed_at, target, scopes, environment from deployments
    where id > ${after} order by id limit ${chunkSize}`
  return await queries.transaction(async (transaction) => {
    // As withdrawals.ts: meanwhile nobody withdraws what was found to be the last one.
    await transaction.execute(sql`
      select from users where id = any(array(select user_id from (${walked}) w)) order by id for no key update`)
    return await oneRowOf<Chunk>(
      transaction,
      sql`
        with walked as materialized (${walked}),
        old as materialized (
          select *, ${isLast} as is_last from walked where deployed_at < to_timestamp(${before.getTime() / 1000}::float8)
        ),
        gone as (
          delete from deployments where ctid = any(array(select ctid from old where not is_last and ${!isDryRun}))
          returning user_id, deployed_at
        ),
        fewer as (select user_id, ${dayOf(sql`deployed_at`)} as day, count(*)::int as n from gone group by 1, 2),
        less_a_day as (
          update daily_deployments d set deployments = deployments - n from fewer f
          where d.user_id = f.user_id and d.day = f.day and deployments > n
        ),
        no_day as (
          delete from daily_deployments d using fewer f
          where d.user_id = f.user_id and d.day = f.day and deployments <= n
        )
        select (select max(id) from walked) as last, count(*)::int as old,
          count(*) filter (where is_last)::int as kept
        from old`,
    )
  })
}

/** Whether something counts this deployment, of the table `walked`, as its latest. */
const isLast: SQL = sql`(
  exists (
    select from latest_deployments l
    where l.user_id = walked.user_id and l.scope = any(walked.scopes) and l.deployed_at <= walked.deployed_at
  )
  or exists (
    select from targets t
    where t.user_id = walked.user_id and t.target = walked.target and t.deployed_at <= walked.deployed_at
  )
  or (
    walked.environment is not null and (
      exists (select from (${newestOf({})}) d where d.id = walked.id)
      or exists (select from (${newestOf({ target: sql`walked.target` })}) d where d.id = walked.id)
    )
  )
)`

/** The newest deployment to the environment of a row of `walked`, which its badge tells. */
function newestOf(part: { target?: SQL }): SQL {
  const environment = sql`lower(walked.environment collate "C")`
  return newestInEnvironment({ userId: sql`walked.user_id`, environment, ...part }, 1, sql`id`)
}
