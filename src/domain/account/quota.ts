/** The number of a user's posts in the last minute, and the seconds until the oldest no longer counts. */
export type Quota = { readonly posted: number; readonly freeInSeconds: number }

/**
 * The quota at `now`, with seconds from 1 to 60. Takes the instant of the oldest post in the minute, if any.
 */
export function quotaAt(
  now: number,
  { posted, oldestMs }: { posted: number; oldestMs: number | null },
): Quota {
  const seconds = Math.ceil(60 - (now - (oldestMs ?? now)) / 1_000)
  return { posted, freeInSeconds: Math.min(60, Math.max(1, seconds)) }
}

/** The number of posts per minute that a user has if the operator sets no other. */
export const usualRatePerMinute = 60

/** Whether the quota is used up. A rate of 0 means no limit. */
export function isFull({ posted }: Quota, ratePerMinute: number): boolean {
  return ratePerMinute > 0 && posted >= ratePerMinute
}
