import type { Quota } from '../../data/rate-limit.ts'

const windowSeconds = 60

/** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers); none where there is no limit. */
export function rateLimitHeaders(
  ratePerMinute: number,
  { posted, freeInSeconds }: Quota,
): Record<string, string> {
  if (ratePerMinute === 0) return {}
  const remaining = Math.max(0, ratePerMinute - posted)
  return {
    'RateLimit-Policy': `"post";q=${ratePerMinute};w=${windowSeconds}`,
    RateLimit: `"post";r=${remaining};t=${freeInSeconds}`,
  }
}
