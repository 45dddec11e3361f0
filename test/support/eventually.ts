/** Waits until something holds; throws when it does not within some seconds. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seconds = 10,
): Promise<void> {
  const end = performance.now() + seconds * 1_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It does not come to this: ${what}`)
    await Bun.sleep(10)
  }
}
