import type { Db } from '../../database/db.ts'
import { isOutage } from '../../database/errors.ts'
import { finishDeletions } from '../account/deletion.ts'
import type { TableUse } from '../table-uses/table-use.ts'
import { moveJoined } from './moving.ts'
import { rereadLinks } from './rereading.ts'

/** Work at intervals in seconds. */
export type Job = { readonly every: number; readonly work: (db: Db) => Promise<void> }

/** The first requests after a start are answered first. */
const firstAfterMs = 2_000

/**
 * Does the work that is left to the background, or that a crash or a process of an older version left undone: soon
 * after the start, and then at intervals, also after an outage. Calls `onFault` with any other error. Returns the
 * function that stops it.
 */
export function upkeep(
  db: Db,
  { jobs, tables }: { readonly jobs: readonly Job[]; readonly tables: readonly TableUse[] },
  onFault: (error: unknown) => void,
): () => void {
  let isStopped = false
  const ofCore: Job = {
    every: 600,
    async work() {
      await finishDeletions(db, tables)
      await rereadLinks(db)
      await moveJoined(db)
    },
  }
  const timers = [ofCore, ...jobs].flatMap(({ every, work }) => {
    let isWorking = false
    const timers = [setTimeout(attempt, firstAfterMs), setInterval(attempt, every * 1_000)]
    for (const timer of timers) timer.unref()
    return timers

    async function attempt(): Promise<void> {
      if (isWorking) return
      isWorking = true
      try {
        await work(db)
      } catch (error) {
        if (!isStopped && !isOutage(error)) onFault(error)
      } finally {
        isWorking = false
      }
    }
  })

  return function stop() {
    isStopped = true
    for (const timer of timers) clearInterval(timer)
  }
}
