/** Rows per background deletion. Each deletion delays announcements (docs/laboratory.md#designs-that-were-tried). */
export const deletedAtOnce = 100

/** Does background work, then waits for as long as the work took, so that it takes at most half of the time. */
export async function gently<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  await Bun.sleep(performance.now() - start)
  return result
}
