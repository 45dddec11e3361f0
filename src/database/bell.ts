import { sql } from 'drizzle-orm'
import type { Bell } from './db.ts'
import { messageOf } from './errors.ts'
import { before } from './guard.ts'
import type { Connect } from './postgres/connect.ts'
import type { Connection } from './postgres/connection.ts'
import { bellSettings } from './session-settings.ts'
import type { Tell } from './tell.ts'

/** The channel on which every process hears that the feed has something new. */
export const bellChannel = 'deployments'

/** Rings at commit. It carries no content: it says "look" (docs/architecture.md#log). */
export const ringBell = sql.raw(`select pg_notify('${bellChannel}', '')`)

const listen = sql.raw(`listen "${bellChannel}"`)
const firstRetryMs = 200
/** A promoted primary is heard so soon, however long there was none. */
const slowestRetryMs = 1_000
/** Together the longest time, 5 s, that a connection which died without a word goes unnoticed. */
const pulseEveryMs = 3_000
const answerMs = 2_000
const lookEveryMs = 250

/** A bell that is hung as soon as `isKnown` resolves, which tells what bell it can be. */
export function bellOnce(isKnown: Promise<void>, hang: () => Bell): Bell {
  let bell: Bell | null = null
  let isStopped = false
  isKnown.then(
    () => {
      if (!isStopped) bell = hang()
    },
    () => {},
  )
  return {
    get isHeard() {
      return bell === null ? false : bell.isHeard
    },
    async stop() {
      isStopped = true
      await bell?.stop()
    },
  }
}

/** Rings four times a second, where there is no NOTIFY to hear. */
export function pollBell(ring: () => void): Bell {
  const timer = setInterval(ring, lookEveryMs)
  timer.unref()
  return { isHeard: null, stop: async () => clearInterval(timer) }
}

/**
 * Calls `ring` for every bell of a Postgres, and when it listens again after an interruption, since it may
 * have missed some. `tell` takes news for the operator.
 */
export function hearBell(connect: Connect, ring: () => void, tell: Tell = () => {}): Bell {
  let connection: Connection | null = null
  let isStopped = false
  let isHeard = false
  void listenForGood()

  return {
    get isHeard() {
      return isHeard
    },
    async stop() {
      isStopped = true
      connection?.end()
    },
  }

  async function listenForGood(): Promise<void> {
    let delayMs = firstRetryMs
    let isLost = false
    const onHeard = () => {
      if (isLost) tell('The bell of the database is heard again', 'bell_back')
      delayMs = firstRetryMs
      isLost = false
      isHeard = true
      ring()
    }
    while (!isStopped) {
      const error = await listenWhileOpen(onHeard).catch((error: unknown) => error)
      isHeard = false
      if (isStopped) return
      if (!isLost) {
        tell(
          `The bell of the database is lost, live feeds are up to 5 s late: ${messageOf(error)}`,
          'bell_lost',
        )
      }
      isLost = true
      await Bun.sleep(delayMs)
      delayMs = Math.min(delayMs * 2, slowestRetryMs)
    }
  }

  /** Rejects as soon as the connection is lost or gives no sign of life. */
  async function listenWhileOpen(onHeard: () => void): Promise<void> {
    const { promise: closed, resolve: onClose } = Promise.withResolvers<void>()
    const opened = await connect(bellSettings, { onNotify: ring, onClose })
    connection = opened
    if (isStopped) opened.end()
    await answered(opened, listen)
    onHeard()
    while (true) {
      await Promise.race([closed, Bun.sleep(pulseEveryMs)])
      await answered(opened, sql`select 1`)
    }
  }
}

function answered({ queries, end }: Connection, statement: typeof listen): Promise<unknown> {
  return before(performance.now() + answerMs, queries.execute(statement), end)
}
