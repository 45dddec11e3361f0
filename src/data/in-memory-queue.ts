/** Too much work of one kind is waiting. The caller may try again in a moment. */
export class Busy extends Error {}

type Bounds = { readonly atOnce: number; readonly waiting: number }

/** Makes the function that runs work in turn. If `waiting` calls wait already, it throws Busy. */
export function workQueue({ atOnce, waiting }: Bounds): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw new Busy()
      await new Promise<void>((resolve) => queue.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      // The next in the queue takes this place, so `running` stays the same.
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
