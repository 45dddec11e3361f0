import type { Db } from '../../database/db.ts'
import { isOutage } from '../../database/errors.ts'
import { finishDeletions } from '../account/deletion.ts'
import { forgetExchanges } from '../account/publishers.ts'
import { type IntakeOptions, waitingRecorder } from '../intake/calls.ts'
import { type Aside, indexWords } from '../search/indexing.ts'
import { type Pruning, pruner } from './deployment-pruning.ts'
import { rereadLinks } from './rereading.ts'

type UpkeepOptions = { readonly intakes: IntakeOptions; readonly pruning: Pruning | null }

/** The jobs with their intervals in seconds. */
const jobsOf = (db: Db, { intakes, pruning }: UpkeepOptions, aside: Aside = new Map()) => [
  {
    every: 600,
    async work(db: Db) {
      await finishDeletions(db)
      await forgetExchanges(db)
      await rereadLinks(db)
    },
  },
  // Until it runs, a search reads the newest deployments one by one, and words of withdrawn ones are kept.
  { every: 10, work: (db: Db) => indexWords(db, aside) },
  { every: 2, work: waitingRecorder(db, intakes) },
  // It does its work once a day, and looks this often whether it has yet to be done.
  ...(pruning === null ? [] : [{ every: 600, work: pruner(pruning) }]),
]

/** The first requests after a start are answered first. */
const firstAfterMs = 2_000

/**
 * Does the work that is left to the background, or that a crash or a process of an older version left undone: soon
 * after the start, and then at intervals, also after an outage. Calls `onFault` with any other error. Returns the
 * function that stops it.
 */
export function upkeep(db: Db, options: UpkeepOptions, onFault: (error: unknown) => void): () => void {
  let isStopped = false
  const timers = jobsOf(db, options).flatMap(({ every, work }) => {
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
