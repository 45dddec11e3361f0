import type { Report, Run } from '../../db.ts'
import { messageOf, Unavailable } from '../../errors.ts'
import { poolSettings } from '../../session-settings.ts'
import { addressesIn, reportPlain, serverName } from '../addresses.ts'
import { openPool, type Pool } from '../pool.ts'
import { routeTo } from '../route.ts'
import { type Connect, connectTo } from '../serving-server.ts'
import { readPrimaryView, readTerms, standbyTimeoutMs, type Unfit, unfitState } from './fitness.ts'
import { type Look, leaseMs, openStandby } from './standby.ts'

const lookEveryMs = 250
const readingConnections = { size: 10, shared: 6 }
/** Two, in case one hangs. */
const lookingConnections = { size: 2 }

/** How the standbys of a database are reached, and how current their answers must be. */
export type StandbyOptions = {
  readonly databaseListenUrl?: string | null
  readonly databaseReadUrl?: string | null
  readonly reads?: 'current' | 'eventual'
}

/** A standby, and why it may not be read, or null. */
export type StandbyFinding = { readonly name: string; readonly unfit: Unfit | null }

/** Reads from the configured standbys while they may be read (docs/architecture.md#standbys). Null if there are none. */
export function standbysOf(
  { databaseReadUrl = null, reads = 'current' }: StandbyOptions,
  connectToPrimary: Connect,
  report: Report,
) {
  if (databaseReadUrl === null) return null
  const addresses = addressesIn('DATABASE_READ_URL', databaseReadUrl)
  reportPlain('DATABASE_READ_URL', addresses, report)
  /** Whether reads must be as current as on the primary. */
  const isCurrent = reads === 'current'
  const pools: Pool[] = []
  const { saw, untilReleased, onPrimary } = acknowledging()
  const primary = poolOf(lookingConnections, connectToPrimary)
  const standbys = addresses.map((address) => {
    // Each address stands for one server, so `target_session_attrs` has no meaning here.
    const connect = connectTo([{ ...address, wanted: 'any' }])
    const reads = poolOf(readingConnections, connect)
    const looks = poolOf(lookingConnections, connect)
    return openStandby({ name: serverName(address), reads, looks, report })
  })
  let turn = 0
  let isLooking = false
  let isClosed = false
  let timer: Timer | undefined

  return {
    /** Looks at all standbys for the first time, and then four times a second. */
    async start(): Promise<void> {
      // The result is ignored, because a process must be able to start during a failover or without standbys.
      await look()
      if (!isClosed) timer = setInterval(() => void lookAtAll(), lookEveryMs)
      // At first, answers of the primary are held back. The start waits for the end of that, so that no request has to.
      if (isCurrent) await untilReleased()
    },
    look,
    /**
     * Makes a function that runs queries on the primary. It holds each answer back for as long as another process may
     * read older data from a standby.
     */
    onPrimary: isCurrent ? onPrimary : (run: Run) => run,
    reading,
    /** How many standbys may be read now. */
    get count() {
      return readable().length
    },
    async close(graceMs: number): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await Promise.all(pools.map((pool) => pool.close(graceMs)))
    },
  }

  /** Looks at all standbys once. */
  async function look(): Promise<readonly StandbyFinding[]> {
    const look = await lookFrom(performance.now()).catch((error: unknown) =>
      unfitState(`the primary cannot be asked: ${messageOf(error)}`),
    )
    return await Promise.all(
      standbys.map(async (standby) => ({
        name: standby.name,
        unfit: 'why' in look ? look : await standby.look(look),
      })),
    )
  }

  function poolOf(connections: { size: number; shared?: number }, connect: Connect): Pool {
    const open = (onClose: () => void) => connect(poolSettings, { onClose })
    // These pools report nothing: the news is whether a standby is read, and the standby reports that.
    const pool = openPool({ ...connections, open, report() {} })
    pools.push(pool)
    return pool
  }

  /** Makes a function that reads on a standby, or on the primary if no standby may be read or the chosen one fails. */
  function reading(onPrimary: Run): Run {
    return async function reading(work, until, lane) {
      const open = readable()
      turn += 1
      const standby = open[turn % open.length]
      const read = standby?.read(work, until, lane).catch(() => onPrimary(work, until, lane))
      return await (read ?? onPrimary(work, until, lane))
    }
  }

  function readable() {
    return standbys.filter(({ mayBeRead }) => mayBeRead)
  }

  async function lookAtAll(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const look = await lookFrom(performance.now())
      for (const standby of standbys) void standby.look(look)
    } catch {
      // Without a look at the primary, no lease is given. If the look failed because the primary itself is down, the
      // main pool reports that (database_lost).
    } finally {
      isLooking = false
    }
  }

  async function lookFrom(at: number): Promise<Look> {
    if (!isCurrent) return { at, primary: null }
    const view = await primary.run(readPrimaryView, at + standbyTimeoutMs, 'reserved')
    if (view.terms === null) throw new Error('the server is a standby, not a primary')
    saw(view.terms)
    return { at, primary: view }
  }
}

/**
 * Holds back answers of the primary while any process may still read under a lease on older terms. The terms
 * are read after the queries, because they may change while a commit waits for a standby.
 */
function acknowledging() {
  let known = ''
  let heldUntil = Number.NEGATIVE_INFINITY

  return { saw, untilReleased, onPrimary }

  /** Notes the terms on which a primary commits now. */
  function saw(terms: string): void {
    if (terms === known) return
    known = terms
    heldUntil = performance.now() + leaseMs
  }

  /** Resolves when the hold that is in force at the call has ended. A hold that begins later is not waited for. */
  async function untilReleased(): Promise<void> {
    const heldFor = heldUntil - performance.now()
    if (heldFor > 0) await Bun.sleep(heldFor)
  }

  /** Makes a function that runs queries on the primary, and holds answers back for the first second of new terms. */
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
      if (heldUntil > until)
        throw new Unavailable('the primary or its settings have changed: nothing is acknowledged yet')
      await untilReleased()
      return result
    }
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
