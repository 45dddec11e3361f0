import { sql } from 'drizzle-orm'
import type postgres from 'postgres'
import { type Options, openClient } from './driver.ts'

/** The channel on which every process hears that the feed has something new. */
export const bellChannel = 'deployments'

/** Rings at commit. It carries no content: it says "look" (docs/architecture.md#log). */
export const ringBell = sql.raw(`select pg_notify('${bellChannel}', '')`)

const firstRetryMs = 200
const slowestRetryMs = 5_000

type ListenerOptions = Options & { onnotify: () => void }

/**
 * Calls `ring` for every bell of a Postgres, and whenever it hears again after it could not: it may have
 * missed some. Gives the function that stops it. The driver's own `listen` is lost for ever when it fails
 * to listen again once, so this keeps trying, each time with a client of its own: the driver
 * may go on with a connection that it lost as if it were open.
 */
export function hearBell(url: string, ring: () => void): () => Promise<void> {
  let client = open()
  let retry: Timer | null = null
  let delayMs = firstRetryMs
  let isStopped = false
  void listen()

  return async function stop() {
    isStopped = true
    if (retry !== null) clearTimeout(retry)
    await client.end({ timeout: 0 })
  }

  function open(): postgres.Sql {
    const options: ListenerOptions = {
      max: 1,
      idle_timeout: 0,
      max_lifetime: null,
      onnotify: ring,
      onclose: () => {
        if (opened === client) listenLater()
      },
    }
    const opened = openClient(url, options)
    return opened
  }

  async function listen(): Promise<void> {
    const asked = client
    try {
      await asked.unsafe(`listen "${bellChannel}"`)
      delayMs = firstRetryMs
      ring()
    } catch {
      if (asked !== client) return
      delayMs = Math.min(delayMs * 2, slowestRetryMs)
      listenLater()
    }
  }

  function listenLater(): void {
    if (retry !== null || isStopped) return
    retry = setTimeout(() => {
      retry = null
      void client.end({ timeout: 0 })
      client = open()
      void listen()
    }, delayMs)
  }
}
