/**
 * The number of rows that background work deletes at once. Announcements may wait until these are on the disk, which
 * takes several times as long with five times as many (docs/laboratory.md#designs-that-were-tried).
 */
export const deletedAtOnce = 100

/** Does background work, then waits for as long as it took, so that it uses at most half of the time. */
export async function gently<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  await Bun.sleep(performance.now() - start)
  return result
}
