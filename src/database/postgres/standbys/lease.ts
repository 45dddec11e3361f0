import { type Queries, type Run, rowOfWritten } from '../../db.ts'
import { isConnectionLost, Unavailable } from '../../errors.ts'

/** How long the standbys may be read, counted from the start of a look at the primary. */
export const leaseMs = 1_000

/**
 * The terms on which a primary commits, or null on a standby: its timeline, its run, how it commits, and the
 * standbys that it waits for. The run changes with each restart. It is part of the terms because a server that
 * recovers from a crash shows commits that did not wait for a standby.
 */
export const termsText = `
  case when not pg_is_in_recovery() then concat_ws(
    ' ', left(pg_walfile_name(pg_current_wal_lsn()), 8), pg_postmaster_start_time(),
    pg_stat_get_bgwriter_stat_reset_time(), current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names')
  ) end`

const statement = `select ${termsText} as terms`

export type Acknowledging = {
  /** Notes the terms on which a primary commits now. */
  saw(terms: string): void
  /** Resolves when no answer is held back any more. */
  untilReleased(): Promise<void>
  /** Runs queries on the primary, and holds their answers back for the first second of new terms. */
  onPrimary(run: Run): Run
}

/**
 * Holds answers of the primary back while any process may still read under a lease on older terms. The terms
 * are read after the queries, because they may change while a commit waits for a standby.
 */
export function acknowledging(): Acknowledging {
  let known = ''
  let heldUntil = Number.NEGATIVE_INFINITY

  return { saw, untilReleased, onPrimary }

  function saw(terms: string): void {
    if (terms === known) return
    known = terms
    heldUntil = performance.now() + leaseMs
  }

  async function untilReleased(): Promise<void> {
    const heldFor = heldUntil - performance.now()
    if (heldFor > 0) await Bun.sleep(heldFor)
  }

  function onPrimary(run: Run): Run {
    return async function onPrimary(work, until, lane) {
      const result = await run(
        async (queries) => {
          const result = await work(queries)
          saw(await readTerms(queries))
          return result
        },
        until,
        lane,
      )
      if (heldUntil > until) throw new Unavailable('the primary has changed: nothing is acknowledged yet')
      await untilReleased()
      return result
    }
  }
}

/** Never rejects with an error after which the guard would try again, because the work is already done. */
async function readTerms(queries: Queries): Promise<string> {
  const { terms } = await rowOfWritten<{ terms: string | null }>(queries, statement, []).catch(
    (error: unknown) => {
      throw isConnectionLost(error) ? error : new Unavailable('the state of the primary cannot be read')
    },
  )
  if (terms === null) throw new Unavailable('the server has become a standby')
  return terms
}
