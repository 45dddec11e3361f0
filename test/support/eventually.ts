import { availableParallelism, loadavg } from 'node:os'
import { day } from '../../src/domain/time.ts'
import type { Service } from './service.ts'

/**
 * The time that a promise of this many milliseconds may take here. It is twice the promise, because the machine is
 * shared and the load average shows neither its other tenants nor what began some seconds ago; and more if programs
 * wait for each core.
 */
export function patience(milliseconds: number): number {
  return 2 * milliseconds * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}

/** Waits until something holds; throws when it does not within a time that is enough on a busy machine, too. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seconds = 60,
): Promise<void> {
  const end = performance.now() + seconds * 1_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`This did not happen in time: ${what}`)
    await Bun.sleep(10)
  }
}

/** Waits until the service says that it can reach its database; gives the milliseconds that it took. */
export async function untilReady(door: Pick<Service, 'fetch'>): Promise<number> {
  const begin = performance.now()
  await eventually('it is ready', async () => {
    const response = await door.fetch('/').catch(() => null)
    await response?.text()
    return response?.status === 200
  })
  return performance.now() - begin
}

/** Longer than any test takes that calls this, on a slow machine too. */
const usualMs = 60_000

/**
 * Waits until midnight in UTC is over, if it is near: for a test of what "today" holds, which would otherwise see
 * two days.
 */
export async function passMidnight(roomMs = usualMs): Promise<void> {
  const leftMs = day - (Date.now() % day)
  // The database's clock may be a little behind.
  if (leftMs < roomMs) await Bun.sleep(leftMs + 100)
}
