/** Under npm and bun one press of Ctrl-C arrives twice: from the terminal, and passed on by them. */
const sameSignalMs = 500

/** Drains and exits with 0 on the first of these signals; exits at once on a second one. */
export function drainOn(signals: readonly NodeJS.Signals[], drain: () => Promise<void>): void {
  let drainingSince: number | null = null

  for (const signal of signals) {
    process.on(signal, () => {
      if (drainingSince === null) {
        drainingSince = performance.now()
        void drain().finally(() => process.exit(0))
      } else if (performance.now() - drainingSince > sameSignalMs) {
        process.exit(1)
      }
    })
  }
}

/** Waits for work, but no longer than this. */
export async function atMost(milliseconds: number, work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, Bun.sleep(milliseconds)])
}
