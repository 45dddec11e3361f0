import { sql } from 'drizzle-orm'
import postgres from 'postgres'

/** The channel on which every process hears that the feed has something new. */
export const bellChannel = 'deployments'

/** Rings at commit. It carries no content: it says "look" (architecture, "NOTIFY is a bell"). */
export const ringBell = sql.raw(`select pg_notify('${bellChannel}', '')`)

const firstRetryMs = 200
const slowestRetryMs = 5_000

type ListenerOptions = NonNullable<Parameters<typeof postgres>[1]> & { onnotify: () => void }

/**
 * Calls `ring` for every bell of a Postgres, and whenever it hears again after it could not: it may have
 * missed some. Gives the function that stops it. The driver's own `listen` is lost for ever when it fails
 * to listen again once (stack facts 5), so this keeps trying.
 */
export function hearBell(url: string, ring: () => void): () => Promise<void> {
  let retry: Timer | null = null
  let delayMs = firstRetryMs
  let isStopped = false
  const options: ListenerOptions = {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    backoff: () => firstRetryMs / 1_000,
    onnotice: () => {},
    onnotify: ring,
    onclose: listenLater,
  }
  const client = postgres(url, options)
  void listen()

  return async function stop() {
    isStopped = true
    if (retry !== null) clearTimeout(retry)
    await client.end({ timeout: 0 })
  }

  async function listen(): Promise<void> {
    retry = null
    try {
      await client.unsafe(`listen "${bellChannel}"`)
      delayMs = firstRetryMs
      ring()
    } catch {
      delayMs = Math.min(delayMs * 2, slowestRetryMs)
      listenLater()
    }
  }

  function listenLater(): void {
    if (retry === null && !isStopped) retry = setTimeout(listen, delayMs)
  }
}
