import { type Lane, type Queries, type Report, settleBy } from '../../db.ts'
import { isOutage, messageOf, Unavailable } from '../../errors.ts'
import type { Pool } from '../pool.ts'
import type { PrimaryView, StandbyPosition, Unfit } from './fitness.ts'
import {
  isBehind,
  isPrimary,
  readReplayPosition,
  readStandbyView,
  standbyTimeoutMs,
  unfitness,
  unfitState,
} from './fitness.ts'

/** How long a standby may be read after a look at the primary, counted from the start of that look. */
export const leaseMs = 1_000
/** How often a standby is asked whether it has caught up with the primary. */
const askAgainMs = 20

/** A look at the primary, and when it began. `primary` is null if reads need not be current. */
export type Look = { readonly at: number; readonly primary: PrimaryView | null }

type Options = {
  readonly name: string
  readonly reads: Pool
  /** A separate pool for looks, because all connections of `reads` may be busy. */
  readonly looks: Pool
  readonly report: Report
}

/** When the lease ends, and what the standby reported about itself when the lease was given. */
type Lease = { readonly until: number; readonly seen: StandbyPosition }

/** A standby, and the lease under which it is read (docs/architecture.md#standbys). */
export function openStandby({ name, reads, looks, report }: Options) {
  let lease: Lease | null = null
  let leftAt = Number.NEGATIVE_INFINITY
  let looking: Promise<Unfit | null> | null = null
  let reported: string | null = null

  return {
    name,
    get mayBeRead() {
      return lease !== null && performance.now() < lease.until
    },
    read,
    /** Looks at the standby, and returns why it may not be read, or null. Shares a look that is already running. */
    look(look: Look): Promise<Unfit | null> {
      looking ??= lookAndReport(look).finally(() => {
        looking = null
      })
      return looking
    },
  }

  /**
   * Runs queries that only read. Throws Unavailable if the answer may be stale or comes too late, and the server's
   * error if the queries fail.
   */
  async function read<T>(work: (queries: Queries) => Promise<T>, until: number, lane: Lane): Promise<T> {
    const { promise: seen, resolve: onSeen } = Promise.withResolvers<StandbyPosition>()
    const leased = lease?.seen
    const result = reads.run(
      async (queries) => {
        // This query is sent just before the work, on the same connection, so that it needs no round trip of its own.
        const position = readReplayPosition(queries)
        position.then(onSeen, () => {})
        const result = await work(queries)
        refuseStale(await position, leased)
        return result
      },
      until - standbyTimeoutMs,
      lane,
    )
    try {
      await Promise.race([result, settleBy(performance.now() + standbyTimeoutMs, seen)])
      return await result
    } catch (error) {
      // The read may still fail, and no one awaits it any more.
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
    if (unfit === null && reported !== null) {
      report(`Shipfeed now reads from the standby ${name}`, 'standby_back')
    }
    if (unfit !== null && unfit.kind !== 'primary' && reported === null) {
      report(`Shipfeed does not read from the standby ${name}: ${unfit.why}`, 'standby_left')
    }
    reported = unfit?.why ?? null
    return unfit
  }

  /** Renews the lease, unless a read has failed since the look began. Returns why the standby is unfit, or null. */
  async function renew({ at, primary }: Look): Promise<Unfit | null> {
    const until = at + standbyTimeoutMs
    try {
      let view = await looks.run(readStandbyView, until, 'reserved')
      const unfit = primary === null ? (view.isStandby ? null : isPrimary) : unfitness(primary, view)
      if (unfit !== null) {
        leave()
        return unfit
      }
      while (primary !== null && isBehind(primary, view)) {
        if (performance.now() > until - askAgainMs) return unfitState('it is behind')
        await Bun.sleep(askAgainMs)
        view = await looks.run(readStandbyView, until, 'reserved')
      }
      // If a read has failed since the look began, the lease is not renewed, because the next read may fail too.
      if (at > leftAt) lease = { until: at + leaseMs, seen: view }
      return null
    } catch (error) {
      return unfitState(messageOf(error))
    }
  }
}

/**
 * Throws Unavailable if the standby has restarted or was promoted since the lease was given. After a restart, a standby
 * has only the log that was on its disk, and may lack commits that it has already shown.
 */
function refuseStale({ isStandby, run, replayed }: StandbyPosition, leased?: StandbyPosition): void {
  if (isStandby && run === leased?.run && replayed >= leased.replayed) return
  throw new Unavailable('the standby has restarted or was promoted since the last look')
}
