/** Under npm and bun, one Ctrl-C arrives twice: from the terminal, and passed on by the parent. */
const sameSignalMs = 500

/**
 * After draining, the process exits within 6 s (docs/decisions.md#operation). Ending the streams takes at most half
 * of `streamsAndRequestsMs`, so requests in flight still have as long as the slowest answer needs.
 */
const streamsMs = 2_500
const streamsAndRequestsMs = 5_000
const databaseMs = 750

/** Stops and exits with 0 on the first of these signals. Exits at once on a second one. */
export function stopOn(signals: readonly NodeJS.Signals[], stop: () => Promise<void>): void {
  let stoppingSince: number | null = null

  for (const signal of signals) {
    process.on(signal, () => {
      if (stoppingSince === null) {
        stoppingSince = performance.now()
        void stop().finally(() => process.exit(0))
      } else if (performance.now() - stoppingSince > sameSignalMs) {
        process.exit(1)
      }
    })
  }
}

type Parts = {
  /** For how long everything is still served, while /readyz says that the process is draining. */
  readonly drainMs: number
  /** Whether other processes listen on the same port. */
  readonly isPortShared: boolean
  /** Accepts no new connections, and resolves when all requests are answered and all streams have ended. */
  stopListening(): Promise<unknown> | undefined
  /** Ends all streams within this time. */
  endStreams(withinMs: number): Promise<void>
  /** Stops timers and other work in the background. */
  stopWork(): void
  closeDatabase(): Promise<void>
}

/** The sequence of a stop. */
export async function stopService(parts: Parts): Promise<void> {
  // Without a listener here, the kernel gives new connections to the other processes of the port.
  const stopped = parts.isPortShared ? parts.stopListening() : undefined
  // A balancer sees on /readyz that this process is not ready, and sends requests elsewhere.
  await Bun.sleep(parts.drainMs)
  const begunAt = performance.now()
  // Before the server, which waits for open streams.
  await parts.endStreams(streamsMs)
  parts.stopWork()
  await atMost(streamsAndRequestsMs - (performance.now() - begunAt), stopped ?? parts.stopListening())
  await atMost(databaseMs, parts.closeDatabase())
}

/** Waits for work, but no longer than this. */
export async function atMost(milliseconds: number, work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, Bun.sleep(milliseconds)])
}
