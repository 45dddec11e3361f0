import type { Queries } from '../../db.ts'
import { isOutage, messageOf, Unavailable } from '../../errors.ts'
import { before, type Run } from '../../guard.ts'
import type { Pool } from '../pool.ts'
import { leaseMs } from './acknowledging.ts'
import type { PrimaryView } from './primary-view.ts'
import { lookAtStandby, type Sight, sightOf } from './standby-view.ts'
import { isPrimary, state, type Unfit, unfitness } from './unfit.ts'

/** A standby that gives no sign of life for so long is left, while there is time to ask the primary. */
export const patienceMs = 700
/** How often a standby is asked whether it has come as far as the primary. */
const againMs = 20

/** A look at the primary, if reads have to be as fresh as there, and when it began. */
export type Look = { readonly at: number; readonly primary: PrimaryView | null }

export type Standby = {
  readonly mayBeRead: boolean
  /** Runs queries that only read; throws Unavailable if the answer may be stale, and what the server says. */
  readonly read: Run
  /** Looks at it, and gives what keeps it from being read. */
  look(look: Look): Promise<Unfit | null>
}

/** The looks have their own connections, since the others may be busy. */
type Pools = { readonly reads: Pool; readonly looks: Pool }

/** Until when it may be read, in which run of the server, and what it has replayed for certain. */
type Lease = { readonly until: number; readonly seen: Sight }

/** A standby, and the lease by which it is read (docs/architecture.md#standbys). */
export function standbyOf({ reads, looks }: Pools): Standby {
  let lease: Lease | null = null
  let leftAt = Number.NEGATIVE_INFINITY

  return {
    get mayBeRead() {
      return lease !== null && performance.now() < lease.until
    },
    read,
    look,
  }

  async function read<T>(work: (queries: Queries) => Promise<T>, until: number): Promise<T> {
    const { promise: seen, resolve: onSeen } = Promise.withResolvers<Sight>()
    const leased = lease?.seen
    const result = reads.run(async (queries) => {
      // On the same connection before the work, so that it costs no round trip.
      const sight = sightOf(queries)
      sight.then(onSeen, () => {})
      const result = await work(queries)
      refuseStale(await sight, leased)
      return result
    }, until - patienceMs)
    try {
      await Promise.race([result, before(performance.now() + patienceMs, seen)])
      return await result
    } catch (error) {
      // What is under way may still fail, and nobody waits for it any more.
      result.catch(() => {})
      if (isOutage(error)) leave()
      throw error
    }
  }

  function leave(): void {
    lease = null
    leftAt = performance.now()
  }

  async function look({ at, primary }: Look): Promise<Unfit | null> {
    const until = at + patienceMs
    try {
      let view = await looks.run(lookAtStandby, until)
      const unfit = primary === null ? (view.isStandby ? null : isPrimary) : unfitness(primary, view)
      if (unfit !== null) {
        leave()
        return unfit
      }
      while (primary !== null && view.replayed < primary.flushed) {
        if (performance.now() > until - againMs) return state('it is behind')
        await Bun.sleep(againMs)
        view = await looks.run(lookAtStandby, until)
      }
      // What failed since the look began may fail again.
      if (at > leftAt) lease = { until: at + leaseMs, seen: view }
      return null
    } catch (error) {
      return state(messageOf(error))
    }
  }
}

/** A standby that was restarted begins with what it had written down, which may be before what it has shown. */
function refuseStale({ isStandby, run, replayed }: Sight, leased: Sight | undefined): void {
  if (isStandby && run === leased?.run && replayed >= leased.replayed) return
  throw new Unavailable('the standby is not the one that was looked at')
}
