import type { PGlite } from '@electric-sql/pglite'
import type { OneAtATime } from './one-at-a-time.ts'

const everyMs = 60_000
const longLogBytes = 32 * 1024 * 1024

/**
 * Keeps the log of changes short. A Postgres of one process makes no checkpoint by itself: its log would grow
 * for as long as it runs, and a start after a crash would replay all of it. Returns the function that stops
 * it. `alone` keeps it from those who still need the log.
 */
export function keepLogShort(client: PGlite, alone: OneAtATime): () => void {
  const timer = setInterval(() => {
    // A disk that is full tells every announcement, and another minute comes.
    alone(() => shortenLog(client)).catch(() => {})
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Makes a checkpoint if the log has grown long. */
export async function shortenLog(client: PGlite): Promise<void> {
  const { rows } = await client.query<{ is_long: boolean }>(
    'select pg_current_wal_lsn() - redo_lsn > $1 as is_long from pg_control_checkpoint()',
    [longLogBytes],
  )
  if (rows[0]?.is_long === true) await client.exec('checkpoint')
}
