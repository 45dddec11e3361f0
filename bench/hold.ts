/**
 * The longest time, in ms, for which this process did nothing else during some work: the CPU time of
 * its thread, because on a busy machine it also waits for reasons that are not ours.
 */
export async function longestHold(times: number, work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  let last = threadMs()
  const turn = () => {
    const now = threadMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  turn()
  for (let n = 0; n < times; n++) {
    await work()
    await Bun.sleep(1)
  }
  isOver = true
  return longest
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
