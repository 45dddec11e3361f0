import type { RecordingOutcome } from '../../data/recording.ts'
import type { TokenEnd } from '../../domain/account/token.ts'
import type { Announcement } from '../../domain/announcement/announcement.ts'
import type { Quota } from '../../domain/announcement/quota.ts'
import { pageOf, recordOf } from '../../domain/deployment.ts'
import { timestampOf } from '../../domain/time.ts'
import { json } from '../../http/responses.ts'

type Recorded = Extract<RecordingOutcome, { outcome: 'created' | 'replayed' }>

/** The answer to an announcement that this call, or an earlier one with its key, recorded. */
export function recordedAnswer(
  announcement: Announcement,
  { outcome, quota, recorded, tokenEnd }: Recorded,
  { baseUrl, ratePerMinute }: { readonly baseUrl: string; readonly ratePerMinute: number },
): Response {
  return json(201, recordOf({ ...announcement, ...recorded }, baseUrl), {
    Location: pageOf(recorded, baseUrl),
    ...rateLimitHeaders(ratePerMinute, quota),
    ...(outcome === 'replayed' ? { 'Idempotent-Replayed': 'true' } : {}),
    ...(tokenEnd === null ? {} : { 'Shipfeed-Token-Expires': expiry(tokenEnd) }),
  })
}

/** In the form of RateLimit: `"2026-12-01T00:00:00Z";days=9`. */
function expiry({ at, days }: TokenEnd): string {
  return `"${timestampOf(at)}";days=${days}`
}

const windowSeconds = 60

/** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers); none if there is no limit. */
export function rateLimitHeaders(ratePerMinute: number, quota: Quota): Record<string, string> {
  if (ratePerMinute === 0) return {}
  const remaining = Math.max(0, ratePerMinute - quota.posted)
  return {
    'RateLimit-Policy': `"post";q=${ratePerMinute};w=${windowSeconds}`,
    RateLimit: `"post";r=${remaining};t=${quota.freeInSeconds}`,
  }
}
