import { type Lane, type Queries, type Report, settleBy, type Work } from '../../database/db.ts'
import { isOutage, messageOf, Unavailable } from '../../database/errors.ts'
import type { Pool } from '../../database/postgres/pool.ts'
import type { PrimaryView, StandbyPosition, Unfit } from './fitness.ts'
import {
  behind,
  readReplayPosition,
  readStandbyView,
  standbyTimeoutMs,
  unfitness,
  unfitState,
} from './fitness.ts'

/** How long a standby may be read, counted from the start of a look. */
export const leaseMs = 1_000
/** While a standby is behind, it is asked this often. */
const askAgainMs = 20

/** When a look began, and what it saw. `primary` is null if reads need not be current. */
export type Look = { readonly at: number; readonly primary: PrimaryView | null }

type Options = {
  readonly name: string
  readonly reads: Pool
  /** A separate pool for looks, because all connections of `reads` may be busy. */
  readonly looks: Pool
  readonly report: Report
}

/** A standby, and the lease under which it is read (docs/architecture.md#standbys). */
export function openStandby({ name, reads, looks, report }: Options) {
  /** `seen` is what the standby reported when the lease was given. */
  let lease: { readonly until: number; readonly seen: StandbyPosition } | null = null
  let leftAt = Number.NEGATIVE_INFINITY
  let looking: Promise<Unfit | null> | null = null
  let reported: string | null = null
  let isPrimary = false

  return {
    name,
    /** Whether the last look found that it is a primary. */
    get isPrimary() {
      return isPrimary
    },
    get mayBeRead() {
      return lease !== null && performance.now() < lease.until
    },
    read,
    /** Returns why the standby may not be read, or null. Shares a look that is already running. */
    look(look: Look): Promise<Unfit | null> {
      looking ??= lookAndReport(look).finally(() => {
        looking = null
      })
      return looking
    },
  }

  /** Throws Unavailable if the answer may be stale or comes too late. */
  async function read<T>(work: Work<T>, until: number, lane: Lane): Promise<T> {
    const { promise: seen, resolve: onSeen } = Promise.withResolvers<StandbyPosition>()
    const leased = lease?.seen
    const checked = async (queries: Queries) => {
      // Sent just before the work, so that it needs no round trip of its own.
      const position = readReplayPosition(queries)
      position.then(onSeen, () => {})
      const result = await work(queries)
      // After a restart, a standby has only the log that was on its disk.
      const { isStandby, run, replayed } = await position
      if (isStandby && run === leased?.run && replayed >= leased.replayed) return result
      throw new Unavailable('the standby has restarted or been promoted since the last look')
    }
    const result = reads.run(checked, until - standbyTimeoutMs, lane)
    try {
      await Promise.race([result, settleBy(performance.now() + standbyTimeoutMs, seen)])
      return await result
    } catch (error) {
      // The read may still fail, and no one awaits it anymore.
      result.catch(() => {})
      if (isOutage(error)) leave()
      throw error
    }
  }

  function leave(): void {
    lease = null
    leftAt = performance.now()
  }

  async function lookAndReport(look: Look): Promise<Unfit | null> {
    const unfit = await renew(look)
    isPrimary = unfit?.kind === 'primary'
    if (unfit === null && reported !== null) {
      report(`Shipfeed now reads from the standby ${name}`, 'standby_back')
    }
    if (unfit !== null && unfit.kind !== 'primary' && reported === null) {
      report(`Shipfeed does not read from the standby ${name}: ${unfit.why}`, 'standby_left')
    }
    reported = unfit?.why ?? null
    return unfit
  }

  /** Renews the lease. Returns why the standby is unfit, or null. */
  async function renew({ at, primary }: Look): Promise<Unfit | null> {
    const until = at + standbyTimeoutMs
    try {
      let view = await looks.run(readStandbyView, until, 'reserved')
      let unfit = unfitness(primary, view)
      while (unfit === behind && performance.now() <= until - askAgainMs) {
        await Bun.sleep(askAgainMs)
        view = await looks.run(readStandbyView, until, 'reserved')
        unfit = unfitness(primary, view)
      }
      // A standby that is only behind keeps the lease that it has.
      if (unfit !== null && unfit !== behind) leave()
      // Not if a read has failed since the look began: the next one may fail too.
      if (unfit === null && at > leftAt) lease = { until: at + leaseMs, seen: view }
      return unfit
    } catch (error) {
      return unfitState(messageOf(error))
    }
  }
}
