import { type SQL, sql } from 'drizzle-orm'
import { type Bell, type Report, settleBy } from './db.ts'
import { messageOf } from './errors.ts'
import type { Connection } from './postgres/connection.ts'
import type { Connect } from './postgres/serving-server.ts'
import { bellSettings } from './session-settings.ts'

/** The NOTIFY channel. A notification is empty and only means "look" (docs/architecture.md#event-log). */
export const bellChannel = 'deployments'

/** Notifies at commit. Announcements and withdrawals do not need it: their database functions notify. */
export const ringBell = sql.raw(`select pg_notify('${bellChannel}', '')`)

const listen = sql.raw(`listen "${bellChannel}"`)
const firstRetryMs = 200
/** Short enough to hear a promoted primary within a second, however long the outage was. */
const slowestRetryMs = 1_000
/** These two add up to 5 s, the longest time that a silently dead connection goes unnoticed. */
const pulseEveryMs = 3_000
const answerMs = 2_000
const pollEveryMs = 250

/** A bell that starts when `isReady` resolves: only then is it known whether it hears notifications or polls. */
export function bellOnce(isReady: Promise<void>, start: () => Bell): Bell {
  let bell: Bell | null = null
  let isStopped = false
  isReady.then(
    () => (bell = isStopped ? null : start()),
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

/** For databases on which NOTIFY cannot be heard, and for BELL=poll. */
export function pollBell(ring: () => void): Bell {
  const timer = setInterval(ring, pollEveryMs)
  timer.unref()
  return { isHeard: null, stop: async () => clearInterval(timer) }
}

/** Rings for every notification, and each time that listening begins: earlier ones may have been missed. */
export function hearBell(connect: Connect, ring: () => void, report: Report = () => {}): Bell {
  let connection: Connection | null = null
  let isStopped = false
  let isHeard = false
  void keepListening()

  return {
    get isHeard() {
      return isHeard
    },
    async stop() {
      isStopped = true
      connection?.end()
    },
  }

  async function keepListening(): Promise<void> {
    let delayMs = firstRetryMs
    let isLost = false
    while (!isStopped) {
      try {
        const { promise: closed, resolve: onClose } = Promise.withResolvers<void>()
        using opened = await connect(bellSettings, { onNotify: ring, onClose })
        if (isStopped) return
        connection = opened
        const ask = (statement: SQL) =>
          settleBy(performance.now() + answerMs, opened.queries.execute(statement))
        await ask(listen)
        if (isLost) report('Database notifications are arriving again', 'bell_back')
        delayMs = firstRetryMs
        isLost = false
        isHeard = true
        ring()
        // Until `ask` rejects, because the connection is lost or stops answering.
        while (true) {
          await Promise.race([closed, Bun.sleep(pulseEveryMs)])
          await ask(sql`select 1`)
        }
      } catch (error) {
        isHeard = false
        if (isStopped) return
        const news = `Database notifications are lost, so live feeds are up to 5 s late: ${messageOf(error)}`
        if (!isLost) report(news, 'bell_lost')
        isLost = true
      }
      await Bun.sleep(delayMs)
      delayMs = Math.min(delayMs * 2, slowestRetryMs)
    }
  }
}
