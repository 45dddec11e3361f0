import type { Db } from '../../database/db.ts'
import { isOutage } from '../../database/errors.ts'
import { finishDeletions } from '../account/deletion.ts'
import { countOldDays } from './old-days.ts'
import { rereadLinks } from './rereading.ts'

const everyMs = 10 * 60 * 1000

/**
 * Does now and every ten minutes what a crash or processes of an older version left undone. `onFault` is
 * called with a fault; after an outage, it tries again next time. Returns the function that stops it.
 */
export function upkeep(db: Db, onFault: (error: unknown) => void): () => void {
  const timer = setInterval(work, everyMs)
  timer.unref()
  let isStopped = false
  let isWorking = false
  void work()

  return function stop() {
    isStopped = true
    clearInterval(timer)
  }

  async function work(): Promise<void> {
    if (isWorking) return
    isWorking = true
    try {
      await finishDeletions(db)
      await rereadLinks(db)
      await countOldDays(db)
    } catch (error) {
      if (!isStopped && !isOutage(error)) onFault(error)
    } finally {
      isWorking = false
    }
  }
}
