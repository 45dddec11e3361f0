import type { Db } from '../../database/db.ts'
import { isOutage } from '../../database/errors.ts'
import { finishDeletions } from '../account/deletion.ts'
import { forgetExchanges } from '../account/exchange.ts'
import { indexWords } from '../search/indexing.ts'
import { countOldDays } from './old-days.ts'
import { rereadLinks } from './rereading.ts'

type Job = { readonly everyMs: number; readonly work: (db: Db) => Promise<void> }

const jobs: readonly Job[] = [
  {
    everyMs: 10 * 60 * 1000,
    async work(db) {
      await finishDeletions(db)
      await forgetExchanges(db)
      await rereadLinks(db)
      await countOldDays(db)
    },
  },
  // Until then a search reads the newest deployments one by one, and a withdrawn one's words are kept.
  { everyMs: 10 * 1000, work: indexWords },
]

/**
 * Does now and every so often what is left to the background, and what a crash or processes of an older version
 * left undone. `onFault` is called with a fault; after an outage, it tries again next time. Returns the function
 * that stops it.
 */
export function upkeep(db: Db, onFault: (error: unknown) => void): () => void {
  let isStopped = false
  const timers = jobs.map(({ everyMs, work }) => {
    let isWorking = false
    const timer = setInterval(attempt, everyMs)
    timer.unref()
    void attempt()
    return timer

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
