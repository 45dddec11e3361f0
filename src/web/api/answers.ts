import type { DeploymentRecord } from '../../data/recording.ts'
import type { Announcement } from '../../domain/announcement.ts'
import { rateLimitAdvice } from '../../domain/problem.ts'
import type { Quota } from '../../domain/quota.ts'
import { Problem } from '../../http/problem.ts'
import { json } from '../../http/respond.ts'
import { recordOf } from './record.ts'

type Outcome = {
  readonly outcome: 'created' | 'replayed'
  readonly quota: Quota
  readonly recorded: DeploymentRecord
}

type Options = { readonly baseUrl: string; readonly ratePerMinute: number }

/** The answer to an announcement that was recorded, by this call or an earlier one with its key. */
export function recordedAnswer(
  announcement: Announcement,
  { outcome, quota, recorded }: Outcome,
  { baseUrl, ratePerMinute }: Options,
): Response {
  return json(201, recordOf({ ...announcement, ...recorded }), {
    Location: `${baseUrl}/${recorded.poster.username}/${recorded.id}`,
    ...rateLimitHeaders(ratePerMinute, quota),
    ...(outcome === 'replayed' ? { 'Idempotent-Replayed': 'true' } : {}),
  })
}

/** The problem of a user who announced as often as the rate allows. */
export function rateLimited(ratePerMinute: number, quota: Quota): Problem {
  return new Problem('rate_limited', rateLimitAdvice(ratePerMinute, quota.freeInSeconds), {
    headers: { 'Retry-After': String(quota.freeInSeconds), ...rateLimitHeaders(ratePerMinute, quota) },
  })
}

const windowSeconds = 60

/** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers); none where there is no limit. */
function rateLimitHeaders(ratePerMinute: number, { posted, freeInSeconds }: Quota): Record<string, string> {
  if (ratePerMinute === 0) return {}
  const remaining = Math.max(0, ratePerMinute - posted)
  return {
    'RateLimit-Policy': `"post";q=${ratePerMinute};w=${windowSeconds}`,
    RateLimit: `"post";r=${remaining};t=${freeInSeconds}`,
  }
}
