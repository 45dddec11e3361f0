import { sql } from 'drizzle-orm'
import { type Db, databaseNow } from '../../database/db.ts'
import { startOfDay, utcDayOf } from '../../domain/time.ts'
import { areLinksUnread, type Pruned, pruneDeployments, reuseRoom } from '../pruning.ts'
import { allRows } from '../statements.ts'

export type Pruning = {
  /** Deployments stay for the present UTC day and this number of days before it. */
  readonly afterDays: number
  /** Whether the database frees no space by itself. */
  readonly isEmbedded: boolean
  /** Called after a pruning with the number of the first UTC day that was kept. */
  readonly onPruned: (firstDay: number, pruned: Pruned) => void
}

/**
 * Makes the job that prunes as the command does, at its first call and then once a UTC day. A call does nothing if
 * the day is done, while links have yet to be reread, or while another process prunes. Throws Unavailable; the next
 * call then begins again.
 */
export function pruner({ afterDays, isEmbedded, onPruned }: Pruning): (db: Db) => Promise<void> {
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
    if (isEmbedded && pruned.gone > 0) await reuseRoom(db)
    await endTurn(db, turn)
    doneOn = today
    onPruned(firstDay, pruned)
  }
}

/**
 * Takes the turn to prune for a minute, or keeps a turn for another minute. Gives the instant at which it was first
 * taken, which names the turn; null if another process has it.
 */
async function takeTurn(db: Db, turn: string | null = null): Promise<string | null> {
  const [taken] = await db.run(
    allRows<{ since: string }>(sql`
      insert into attempts as a (kind, subject, instants, expires_at)
      values ('pruning', '', array[coalesce(${turn}::timestamptz, now())], now() + interval '1 minute')
      on conflict (kind, subject) do update set instants = excluded.instants, expires_at = excluded.expires_at
      where a.expires_at < now() or a.instants[1] = ${turn}::timestamptz
      returning instants[1]::text as since`),
    'shared',
    'nothing',
  )
  return taken?.since ?? null
}

/** Ends a turn, so that another process need not wait until it expires. */
async function endTurn(db: Db, turn: string): Promise<void> {
  const statement = sql`
    delete from attempts where kind = 'pruning' and subject = '' and instants[1] = ${turn}::timestamptz`
  await db.run(allRows(statement), 'shared', 'nothing')
}
