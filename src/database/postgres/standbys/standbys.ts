import type { Lane, Queries, Report, Run } from '../../db.ts'
import { poolSettings } from '../../session-settings.ts'
import { type Address, addressesIn, reportPlain, serverName } from '../addresses.ts'
import { type Connect, connectTo } from '../connect.ts'
import { openPool, type Pool } from '../pool.ts'
import { routeTo } from '../route.ts'
import { readPrimaryView, standbyTimeoutMs, type Unfit, unfitState } from './fitness.ts'
import { acknowledging } from './lease.ts'
import { type Look, openStandby, type Standby } from './standby.ts'

const lookEveryMs = 250
const readingConnections = { size: 10, shared: 6 }
/** A second one in case the first hangs. */
const lookingConnections = { size: 2 }

/** How the standbys of a database are reached, and how current their answers must be. */
export type StandbyOptions = {
  readonly databaseListenUrl?: string | null
  readonly databaseReadUrl?: string | null
  readonly reads?: 'current' | 'eventual'
}

/** A standby, and why it may not be read, or null. */
export type StandbyFinding = { readonly name: string; readonly unfit: Unfit | null }

export type Standbys = {
  /** Looks at all standbys once. */
  look(): Promise<readonly StandbyFinding[]>
  /** Looks at all standbys for the first time, and then four times a second. */
  start(): Promise<void>
  /**
   * Makes a function that reads on a standby, or on the primary if no standby may be read or the chosen one
   * fails.
   */
  reading(onPrimary: Run): Run
  /** Makes a function that runs on the primary, and holds its answers back until they are safe. */
  readonly onPrimary: (run: Run) => Run
  /** How many standbys may be read now. */
  readonly count: number
  close(graceMs: number): Promise<void>
}

type Options = {
  /** Each is one standby. */
  readonly addresses: readonly Address[]
  readonly connectToPrimary: Connect
  /** Whether reads must be as current as on the primary. */
  readonly isCurrent: boolean
  readonly report: Report
}

/** The configured standbys, or null if there are none. */
export function standbysOf(
  { databaseReadUrl = null, reads = 'current' }: StandbyOptions,
  connectToPrimary: Connect,
  report: Report,
): Standbys | null {
  if (databaseReadUrl === null) return null
  const addresses = addressesIn('DATABASE_READ_URL', databaseReadUrl)
  reportPlain('DATABASE_READ_URL', addresses, report)
  return openStandbys({ addresses, connectToPrimary, isCurrent: reads === 'current', report })
}

/** Reads from standbys while they may be read (docs/architecture.md#standbys). */
function openStandbys({ addresses, connectToPrimary, isCurrent, report }: Options): Standbys {
  const pools: Pool[] = []
  const { saw, untilReleased, onPrimary } = acknowledging()
  const primary = poolOf(lookingConnections, connectToPrimary)
  const standbys = addresses.map((address) => {
    // Each address stands for one server, so `target_session_attrs` has no meaning here.
    const connect = connectTo([{ ...address, wanted: 'any' }])
    const reads = poolOf(readingConnections, connect)
    return openStandby({
      name: serverName(address),
      reads,
      looks: poolOf(lookingConnections, connect),
      report,
    })
  })
  let turn = 0
  let isLooking = false
  let isClosed = false
  let timer: Timer | undefined

  return {
    async start() {
      // The result is ignored, because a process must be able to start in a failover or without standbys.
      await look()
      if (!isClosed) timer = setInterval(() => void lookAtAll(), lookEveryMs)
      // Waited for here, so that no caller has to, such as a balancer that asks for /readyz.
      if (isCurrent) await untilReleased()
    },
    look,
    onPrimary: isCurrent ? onPrimary : (run) => run,
    reading,
    get count() {
      return readable().length
    },
    async close(graceMs) {
      isClosed = true
      clearInterval(timer)
      await Promise.all(pools.map((pool) => pool.close(graceMs)))
    },
  }

  async function look(): Promise<readonly StandbyFinding[]> {
    const look = await lookFrom(performance.now()).catch(() => null)
    return await Promise.all(
      standbys.map(async (standby) => ({
        name: standby.name,
        unfit: look === null ? unfitState('the primary does not answer') : await standby.look(look),
      })),
    )
  }

  function poolOf(connections: { size: number; shared?: number }, connect: Connect): Pool {
    const open = (onClose: () => void) => connect(poolSettings, { onClose })
    // Muted: the only news worth reporting is whether the standby is read.
    const pool = openPool({ ...connections, open, report() {} })
    pools.push(pool)
    return pool
  }

  function reading(onPrimary: Run): Run {
    return async function reading<T>(
      work: (queries: Queries) => Promise<T>,
      until: number,
      lane: Lane,
    ): Promise<T> {
      const open = readable()
      turn += 1
      const standby = open[turn % open.length]
      // After any failure on the standby, the primary answers.
      const read = standby?.read(work, until, lane).catch(() => onPrimary(work, until, lane))
      return await (read ?? onPrimary(work, until, lane))
    }
  }

  function readable(): readonly Standby[] {
    return standbys.filter(({ mayBeRead }) => mayBeRead)
  }

  async function lookAtAll(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const look = await lookFrom(performance.now())
      for (const standby of standbys) void standby.look(look)
    } catch {
      // If the primary does not answer, no lease is given; database_lost reports that.
    } finally {
      isLooking = false
    }
  }

  async function lookFrom(at: number): Promise<Look> {
    if (!isCurrent) return { at, primary: null }
    const view = await primary.run(readPrimaryView, at + standbyTimeoutMs, 'reserved')
    if (view.terms === null) throw new Error('the server of DATABASE_URL is not a primary')
    saw(view.terms)
    return { at, primary: view }
  }
}

/** Looks at each configured standby once, and returns why it may not be read now, or null. */
export async function lookAtStandbys(
  url: string,
  options: StandbyOptions,
): Promise<readonly StandbyFinding[]> {
  const standbys = standbysOf(options, routeTo(url, options.databaseListenUrl).direct, () => {})
  if (standbys === null) return []
  try {
    return await standbys.look()
  } finally {
    await standbys.close(0)
  }
}
