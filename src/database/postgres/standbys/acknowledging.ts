import type { Queries } from '../../db.ts'
import { isConnectionLost, Unavailable } from '../../errors.ts'
import type { Run } from '../../guard.ts'
import { rowOfWritten } from '../../sql.ts'

/** How long a look at the primary lets its standbys be read from. */
export const leaseMs = 1_000

/**
 * On which terms a primary commits: its timeline, its run, since a server that recovers from a crash shows
 * commits that nobody waited for, and for whom it waits. Null on a standby, which has none.
 */
export const termsText = `
  case when not pg_is_in_recovery() then concat_ws(
    ' ', left(pg_walfile_name(pg_current_wal_lsn()), 8), pg_postmaster_start_time(),
    pg_stat_get_bgwriter_stat_reset_time(), current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names')
  ) end`

const statement = `select ${termsText} as terms`

export type Acknowledging = {
  /** Takes the terms that a primary commits on now. */
  saw(terms: string): void
  /** Resolves when nothing is held back any more. */
  untilHeard(): Promise<void>
  /** Runs queries on the primary, and says nothing of them in the first second on its terms. */
  onPrimary(run: Run): Run
}

/**
 * Holds answers of the primary back for as long as anybody may still read by a lease of other terms. The terms
 * are read after the queries, since a commit that waits for a standby may end on others than it began.
 */
export function acknowledging(): Acknowledging {
  let known = ''
  let heldUntil = Number.NEGATIVE_INFINITY

  return { saw, untilHeard, onPrimary }

  function saw(terms: string): void {
    if (terms === known) return
    known = terms
    heldUntil = performance.now() + leaseMs
  }

  async function untilHeard(): Promise<void> {
    const heldFor = heldUntil - performance.now()
    if (heldFor > 0) await Bun.sleep(heldFor)
  }

  function onPrimary(run: Run): Run {
    return async function onPrimary(work, until) {
      const result = await run(async (queries) => {
        const result = await work(queries)
        saw(await termsOf(queries))
        return result
      }, until)
      if (heldUntil > until) throw new Unavailable('another primary: nothing is acknowledged yet')
      await untilHeard()
      return result
    }
  }
}

/** Never rejects with what would be asked once more: the work before it is done. */
async function termsOf(queries: Queries): Promise<string> {
  const { terms } = await rowOfWritten<{ terms: string | null }>(queries, statement, []).catch(
    (error: unknown) => {
      throw isConnectionLost(error) ? error : new Unavailable('the server does not tell its terms')
    },
  )
  if (terms === null) throw new Unavailable('the server has become a standby')
  return terms
}
