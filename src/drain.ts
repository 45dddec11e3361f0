/** On the first of these signals: drains, and exits with 0. On a second one: exits at once. */
export function drainOn(signals: readonly NodeJS.Signals[], drain: () => Promise<void>): void {
  let isDraining = false

  for (const signal of signals) {
    process.on(signal, () => {
      if (isDraining) process.exit(1)
      isDraining = true
      void drain().finally(() => process.exit(0))
    })
  }
}

/** Waits for something, but no longer than this. */
export async function atMost(milliseconds: number, work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, Bun.sleep(milliseconds)])
}
