/** Does a piece of work in the background, and leaves others at least as much time as it took. */
export async function gently<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  await Bun.sleep(performance.now() - start)
  return result
}
