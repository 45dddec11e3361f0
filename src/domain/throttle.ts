/** At most so many attempts in any stretch of so many hours. */
export type Limit = { readonly most: number; readonly hours: number }

const hourMs = 60 * 60 * 1000

/**
 * How many seconds it takes until one more attempt is admitted; null where it is now. `attempts` are the
 * instants of those before, the oldest first, and `now` the present one, in milliseconds.
 */
export function secondsUntilFree(
  attempts: readonly number[],
  { most, hours }: Limit,
  now: number,
): number | null {
  const windowMs = hours * hourMs
  const recent = attempts.filter((attempt) => attempt > now - windowMs)
  const [first] = recent.slice(-most)
  if (recent.length < most || first === undefined) return null
  return Math.ceil((first + windowMs - now) / 1000)
}
