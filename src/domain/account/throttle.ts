/** At most this many attempts in any stretch of this many hours. */
export type Limit = { readonly most: number; readonly hours: number }

const hourMs = 60 * 60 * 1000

/**
 * The seconds until one more attempt is admitted, null if it is now. `attempts` are the earlier instants, the
 * oldest first, and `now` is the present one, in milliseconds.
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
