/** How many posts of a user count in the last minute, and the seconds until the oldest no longer does. */
export type Quota = { readonly posted: number; readonly freeInSeconds: number }

/** What is left of a user's minute. The seconds are from 1 to 60. Takes the oldest post in it, if any. */
export function quotaAt(
  now: number,
  { posted, oldestMs }: { posted: number; oldestMs: number | null },
): Quota {
  const seconds = Math.ceil(60 - (now - (oldestMs ?? now)) / 1_000)
  return { posted, freeInSeconds: Math.min(60, Math.max(1, seconds)) }
}

/** Whether a minute is full. A rate of 0 is no limit. */
export function isFull({ posted }: Quota, ratePerMinute: number): boolean {
  return ratePerMinute > 0 && posted >= ratePerMinute
}
