/** Does background work, then waits for as long as the work took, so that it takes at most half of the time. */
export async function gently<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  await Bun.sleep(performance.now() - start)
  return result
}
