import { Unavailable } from './unavailable.ts'

/** A pipeline must have its answer within 2.5 s (issue 1), whatever the database does. */
export const deadlineMs = 2_000

/** What a promise resolves to, or Unavailable where that takes too long; `onMissed` hears of it then. */
export function withDeadline<T>(result: Promise<T>, onMissed: () => void = () => {}): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Unavailable('no answer within the deadline'))
    onMissed()
  }, deadlineMs)
  return Promise.race([result, promise]).finally(() => clearTimeout(timer))
}
