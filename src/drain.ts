import type { createApp } from './app.ts'
import type { Db } from './data/database.ts'

/** Requests may take this long to finish; the whole exit stays within 6 s (issue 1). */
const drainMs = 4_000

/** On these signals: stops accepting, finishes what is in flight, closes the database, exits with 0. */
export function drainOn(
  signals: readonly NodeJS.Signals[],
  { app, db }: { app: ReturnType<typeof createApp>; db: Db },
): void {
  let draining = false

  for (const signal of signals) {
    process.on(signal, () => {
      if (draining) process.exit(1)
      draining = true
      void drain()
    })
  }

  async function drain(): Promise<void> {
    await Promise.race([app.server?.stop(), Bun.sleep(drainMs)])
    await Promise.race([db.close(), Bun.sleep(1_000)])
    process.exit(0)
  }
}
