import { sql } from 'drizzle-orm'
import { allRows, oneValue } from '../../data/statements.ts'
import { isUnread } from '../../data/tables.ts'
import { type Db, databaseNow } from '../../database/db.ts'
import { deletedAtOnce, gently } from '../../database/pacing.ts'
import { beforeImported } from '../../domain/imported.ts'
import { startOfDay, utcDayOf } from '../../domain/time.ts'

type Pruned = { readonly gone: number; readonly kept: number }

type Options = {
  readonly before: Date
  readonly isDryRun: boolean
  /** Asked before each chunk; without it, the work goes on to its end. */
  readonly mayGoOn?: () => Promise<boolean>
}

/**
 * Deletes old deployments, and takes them out of the days that they counted for. The last one of each scope, target and
 * environment stays, so that no badge changes. Works in chunks with the oldest first, and may be interrupted and run
 * again.
 */
export async function pruneDeployments(db: Db, options: Options): Promise<Pruned> {
  const total = { gone: 0, kept: 0 }
  // Those from history, then those announced: ids of a kind are in the order of the instants.
  for (const [first, end] of [[beforeImported, 0] as const, [0, Number.MAX_SAFE_INTEGER] as const]) {
    for (let after = first; (await options.mayGoOn?.()) ?? true; ) {
      const before = sql`to_timestamp(${options.before.getTime() / 1000}::float8)`
      const pruned = sql`prune_deployments(${after}, ${end}, ${before}, ${deletedAtOnce}, ${options.isDryRun})`
      const { last, old, kept } = await gently(() =>
        db.write(oneValue<Chunk>(sql`select ${pruned} as pruned`)),
      )
      total.gone += old - kept
      total.kept += kept
      if (last === null || old === 0) break
      after = last
    }
  }
  return total
}

/** Whether links have yet to be reread by today's rule: until then, no deployment is known to be the last. */
export async function areLinksUnread(db: Db): Promise<boolean> {
  const statement = sql`select exists (select from deployments where ${isUnread}) as unread`
  return await db.readPrimary(oneValue<boolean>(statement))
}

/** `last` is the last id that was read, null if none was; `old`: how many were deployed before the cutoff. */
type Chunk = { readonly last: number | null; readonly old: number; readonly kept: number }

type Pruning = {
  /** Deployments stay for the present UTC day and this number of days before it. */
  readonly afterDays: number
  readonly onPruned: (firstDay: number, pruned: Pruned) => void
}

/** Makes the job that prunes once a UTC day, if links are reread and no other process prunes. */
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
