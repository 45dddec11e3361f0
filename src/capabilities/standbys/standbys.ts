import type { Report, Run } from '../../database/db.ts'
import { messageOf, Unavailable } from '../../database/errors.ts'
import { addressesIn, reportPlain, serverName } from '../../database/postgres/addresses.ts'
import { openPool, type Pool } from '../../database/postgres/pool.ts'
import { type Connect, connectTo } from '../../database/postgres/serving-server.ts'
import { poolSettings } from '../../database/session-settings.ts'
import type { SeenStandby } from './finding.ts'
import { readPrimaryView, readTerms, standbyTimeoutMs, unfitState } from './fitness.ts'
import { type Look, leaseMs, openStandby } from './lease.ts'

const lookEveryMs = 250
const readingConnections = { size: 10, shared: 6 }
/** Two, in case one hangs. */
const lookingConnections = { size: 2 }

/** `isCurrent`: no answer may be older than the request for it (READS). */
type Settings = { readonly url: string; readonly isCurrent: boolean }

export type OpenStandbys = ReturnType<typeof openStandbys>

/** The standbys at these addresses (docs/architecture.md#standbys). Throws DatabaseUnusable. */
export function openStandbys(
  { url, isCurrent }: Settings,
  connectToPrimary: Connect,
  report: Report = () => {},
) {
  const addresses = addressesIn('DATABASE_READ_URL', url)
  reportPlain('DATABASE_READ_URL', addresses, report)
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
    async start(): Promise<void> {
      // Does not reject: a process must be able to start during a failover or without standbys.
      await look()
      if (!isClosed) timer = setInterval(() => void lookAtAll(), lookEveryMs)
      // The first good look makes `saw` hold back the primary's answers. The start waits here until they are released,
      // so that no request has to wait.
      if (isCurrent) await untilReleased()
    },
    look,
    onPrimary: isCurrent ? onPrimary : (run: Run) => run,
    reading,
    /** A primary among them is none, nor is it read from. */
    get count() {
      return standbys.filter(({ isPrimary }) => !isPrimary).length
    },
    get read() {
      return readable().length
    },
    async close(graceMs: number): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await Promise.all(pools.map((pool) => pool.close(graceMs)))
    },
  }

  async function look(): Promise<readonly SeenStandby[]> {
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
    // Silent: `openStandby` reports whether a standby is read, and the main pool reports an outage of the primary.
    const pool = openPool({ ...connections, open, report() {} })
    pools.push(pool)
    return pool
  }

  /** Reads on a standby, or on the primary if no standby may be read or the chosen one fails. */
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
      // No lease is given. If the primary is down, the main pool reports that (database_lost).
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

/** Holds back the primary's answers while any process may still hold a lease from before the terms changed. */
function acknowledging() {
  let known = ''
  let heldUntil = Number.NEGATIVE_INFINITY

  return { saw, untilReleased, onPrimary }

  function saw(terms: string): void {
    if (terms === known) return
    known = terms
    heldUntil = performance.now() + leaseMs
  }

  /** Waits only for a hold that has already begun. */
  async function untilReleased(): Promise<void> {
    const heldFor = heldUntil - performance.now()
    if (heldFor > 0) await Bun.sleep(heldFor)
  }

  function onPrimary(run: Run): Run {
    return async function onPrimary(work, until, lane) {
      const seeing: typeof work = async (queries) => {
        const result = await work(queries)
        // Read afterwards, because they may change while a commit waits for a standby.
        saw(await readTerms(queries))
        return result
      }
      const result = await run(seeing, until, lane)
      if (heldUntil > until)
        throw new Unavailable('the primary or its settings have changed: answers are still held back')
      await untilReleased()
      return result
    }
  }
}
