import type { Queries } from '../../db.ts'
import type { Run } from '../../guard.ts'
import { poolSettings } from '../../session-settings.ts'
import type { Tell } from '../../tell.ts'
import { type Address, nameOf } from '../addresses.ts'
import { type Connect, connectTo } from '../connect.ts'
import { openPool, type Pool } from '../pool.ts'
import { acknowledging } from './acknowledging.ts'
import { lookAtPrimary } from './primary-view.ts'
import { type Look, patienceMs, standbyOf } from './standby.ts'
import { state, type Unfit } from './unfit.ts'
import { type Watched, watched } from './watched.ts'

const lookEveryMs = 250
const readingConnections = 10
/** One, and another where the first one hangs. */
const lookingConnections = 2

type Options = {
  /** Each is a standby. */
  readonly addresses: readonly Address[]
  readonly connectToPrimary: Connect
  /** Whether reads have to be as fresh as on the primary. */
  readonly isCurrent: boolean
  readonly tell: Tell
}

/** A standby of an address, and what keeps it from being read from. */
export type Finding = { readonly name: string; readonly unfit: Unfit | null }

export type Standbys = {
  /** Looks at all once. */
  look(): Promise<readonly Finding[]>
  /** Looks at all for the first time, and then again and again. */
  start(): Promise<void>
  /** Makes what reads on a standby, or else by this. */
  reading(onPrimary: Run): Run
  /** Makes what runs on the primary. */
  readonly onPrimary: (run: Run) => Run
  /** How many may be read now. */
  readonly count: number
  close(graceMs: number): Promise<void>
}

/** Reads from standbys while they may be read (docs/architecture.md#standbys). */
export function openStandbys({ addresses, connectToPrimary, isCurrent, tell }: Options): Standbys {
  const pools: Pool[] = []
  const { saw, untilHeard, onPrimary } = acknowledging()
  const primary = poolOf(lookingConnections, connectToPrimary)
  const standbys = addresses.map((address) => {
    // By itself, whatever `target_session_attrs` wants of several.
    const connect = connectTo([{ ...address, wanted: 'any' }])
    const reads = poolOf(readingConnections, connect)
    return watched(nameOf(address), standbyOf({ reads, looks: poolOf(lookingConnections, connect) }), tell)
  })
  let turn = 0
  let isLooking = false
  let isClosed = false
  let timer: Timer | undefined

  return {
    async start() {
      // Whatever it finds: amid a failover, and while one is out of the list, a process must be able to come back.
      await look()
      if (!isClosed) timer = setInterval(() => void lookAtAll(), lookEveryMs)
      // Or whoever comes first, as a balancer that asks whether it is ready, would have to wait for it.
      if (isCurrent) await untilHeard()
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

  async function look(): Promise<readonly Finding[]> {
    const look = await lookFrom(performance.now()).catch(() => null)
    return await Promise.all(
      standbys.map(async (standby) => ({
        name: standby.name,
        unfit: look === null ? unknown : await standby.look(look),
      })),
    )
  }

  function poolOf(size: number, connect: Connect): Pool {
    const open = (onClose: () => void) => connect(poolSettings, { onClose })
    // What is told of a standby is whether it is read.
    const pool = openPool({ size, open, tell() {} })
    pools.push(pool)
    return pool
  }

  function reading(onPrimary: Run): Run {
    return async function reading<T>(work: (queries: Queries) => Promise<T>, until: number): Promise<T> {
      const open = readable()
      turn += 1
      const standby = open[turn % open.length]
      // Whatever it is that fails there, the primary knows better.
      const read = standby?.read(work, until).catch(() => onPrimary(work, until))
      return await (read ?? onPrimary(work, until))
    }
  }

  function readable(): readonly Watched[] {
    return standbys.filter(({ mayBeRead }) => mayBeRead)
  }

  async function lookAtAll(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const look = await lookFrom(performance.now())
      for (const standby of standbys) void standby.look(look)
    } catch {
      // Without a word from the primary no lease is given; database_lost tells of it.
    } finally {
      isLooking = false
    }
  }

  async function lookFrom(at: number): Promise<Look> {
    if (!isCurrent) return { at, primary: null }
    const view = await primary.run(lookAtPrimary, at + patienceMs)
    if (view.terms === null) throw new Error('it is no primary')
    saw(view.terms)
    return { at, primary: view }
  }
}

const unknown = state('the primary does not answer')
