/** The number of announcements a minute that a user has if the operator sets no other. */
export const defaultRatePerMinute = 60

/** The number of a user's posts in the last minute, and the seconds until the oldest no longer counts. */
export type Quota = { readonly posted: number; readonly freeInSeconds: number }

/** Whether the quota is used up. A rate of 0 means no limit. */
export function isFull({ posted }: Quota, ratePerMinute: number): boolean {
  return ratePerMinute > 0 && posted >= ratePerMinute
}
