import { type SQL, sql } from 'drizzle-orm'
import { type Db, databaseNow, oneRowOf, type Queries } from '../../database/db.ts'
import { gently } from '../../database/locks-and-pacing.ts'
import { startOfDay, utcDayOf } from '../../domain/ages-and-days.ts'
import { beforeHistory } from '../../domain/history.ts'
import { newestIn } from '../feed-pages.ts'
import { isUnread } from '../schema.ts'
import { allRows, oneValue } from '../statements.ts'

/** Rows per background deletion. Each deletion delays announcements (docs/laboratory.md#designs-that-were-tried). */
export const deletedAtOnce = 100

export type Pruned = { readonly gone: number; readonly kept: number }

type Options = {
  readonly before: Date
  readonly isDryRun: boolean
  /** Asked before each chunk; without it, the work goes on to its end. */
  readonly mayGoOn?: () => Promise<boolean>
}

/**
 * Deletes old deployments, and takes them out of the days that they counted for. The last one of each scope,
 * target and environment stays, so that no badge changes. Works in chunks with the oldest first, and may be
 * interrupted and run again. Throws Unavailable.
 */
export async function pruneDeployments(db: Db, options: Options): Promise<Pruned> {
  const total = { gone: 0, kept: 0 }
  // Those from history, then those announced: ids of a kind are in the order of the instants.
  for (const [first, end] of [[beforeHistory, 0] as const, [0, Number.MAX_SAFE_INTEGER] as const]) {
    for (let after = first; (await options.mayGoOn?.()) ?? true; ) {
      const range = { after, end }
      const { last, old, kept } = await gently(() =>
        db.write((queries) => pruneChunk(queries, range, options)),
      )
      total.gone += old - kept
      total.kept += kept
      if (last === null || old === 0) break
      after = Number(last)
    }
  }
  return total
}

/** Whether links have yet to be reread by today's rule: until then, no deployment is known to be the last. */
export async function areLinksUnread(db: Db): Promise<boolean> {
  const statement = sql`select exists (select from deployments where ${isUnread}) as unread`
  return await db.readPrimary(oneValue<boolean>(statement))
}

/** `last` is the last id that was read, null if none was; `old` counts those from before the instant. */
type Chunk = { readonly last: string | null; readonly old: number; readonly kept: number }

/** Prunes the first deployments with ids between these two, both exclusive. */
async function pruneChunk(
  queries: Queries,
  { after, end }: { readonly after: number; readonly end: number },
  { before, isDryRun }: Options,
): Promise<Chunk> {
  const walked = sql`
    select ctid, id, user_id, deployed_at, target, scopes, environment from deployments
    where id > ${after} and id < ${end} order by id limit ${deletedAtOnce}`
  // Locks the users, as withdraw_deployment does: they cannot withdraw what was found to be the last.
  const lock = sql`
    select from users where id = any(array(select user_id from (${walked}) w)) order by id for no key update`
  // Nothing of today is deleted: announcements count for today while they hold the feed's lock, and a pruning and an
  // announcement must not wait for each other.
  const statement = sql`
    with walked as materialized (${walked}),
    old as materialized (
      select *, ${isLast} as is_last from walked
      where deployed_at < least(to_timestamp(${before.getTime() / 1000}::float8), date_trunc('day', now(), 'UTC'))
    ),
    gone as (
      delete from deployments where ctid = any(array(select ctid from old where not is_last and ${!isDryRun}))
      returning user_id, deployed_at
    ),
    uncounted as (select count_days(array_agg(user_id), array_agg(deployed_at), -1) from gone)
    select (select max(id) from walked) as last, count(*)::int as old, count(*) filter (where is_last)::int as kept
    from old, uncounted`
  return await queries.transaction(async (transaction) => {
    await transaction.execute(lock)
    return await oneRowOf<Chunk>(transaction, statement)
  })
}

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

/** The newest deployment to the environment of a row of `walked`, which that environment's badge shows. */
function newestOf(part: { target?: SQL }): SQL {
  const environment = sql`lower(walked.environment collate "C")`
  return newestIn({ userId: sql`walked.user_id`, environment, ...part }, 1, sql`id`)
}

export type Pruning = {
  /** Deployments stay for the present UTC day and this number of days before it. */
  readonly afterDays: number
  readonly onPruned: (firstDay: number, pruned: Pruned) => void
}

/** Makes the job that prunes once a UTC day, if links are reread and no other process prunes. Throws Unavailable. */
export function pruner({ afterDays, onPruned }: Pruning): (db: Db) => Promise<void> {
  let doneOn: number | null = null

  return async function prune(db) {
    const today = utcDayOf(await databaseNow(db))
    if (today === doneOn || (await areLinksUnread(db))) return
    const turn = await takeTurn(db)
    if (turn === null) return
    let isMine = true
    const mayGoOn = async () => {
      isMine &&= (await takeTurn(db, turn)) !== null
      return isMine
    }
    const firstDay = today - afterDays
    const pruned = await pruneDeployments(db, { before: startOfDay(firstDay), isDryRun: false, mayGoOn })
    if (!isMine) return
    await endTurn(db, turn)
    doneOn = today
    onPruned(firstDay, pruned)
  }
}

/** Takes the turn to prune for a minute, or keeps it. Gives its name; null if another process has it. */
async function takeTurn(db: Db, turn: string | null = null): Promise<string | null> {
  const statement = sql`
    insert into attempts as a (kind, subject, instants, expires_at)
    values ('pruning', '', array[coalesce(${turn}::timestamptz, now())], now() + interval '1 minute')
    on conflict (kind, subject) do update set instants = excluded.instants, expires_at = excluded.expires_at
    where a.expires_at < now() or a.instants[1] = ${turn}::timestamptz
    returning instants[1]::text as since`
  const [taken] = await db.write(allRows<{ since: string }>(statement))
  return taken?.since ?? null
}

async function endTurn(db: Db, turn: string): Promise<void> {
  const statement = sql`
    delete from attempts where kind = 'pruning' and subject = '' and instants[1] = ${turn}::timestamptz`
  await db.write(allRows(statement))
}
