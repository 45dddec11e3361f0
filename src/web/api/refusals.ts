import type { DeploymentRecord } from '../../data/recording.ts'
import { refusalRecorder } from '../../data/refusals.ts'
import type { Db } from '../../database/db.ts'
import type { TokenEnd } from '../../domain/account/token.ts'
import type { Announcement } from '../../domain/announcement/announcement.ts'
import { pageOf, recordOf } from '../../domain/deployment.ts'
import type { Quota } from '../../domain/limits.ts'
import { timestampOf } from '../../domain/time.ts'
import { Problem } from '../../http/problem.ts'
import { json } from '../../http/responses.ts'
import { errorFacts, type Log } from '../../log/log.ts'

type Outcome = {
  readonly outcome: 'created' | 'replayed'
  readonly quota: Quota
  readonly recorded: DeploymentRecord
  readonly tokenEnd: TokenEnd | null
}

/** The answer to an announcement that this call, or an earlier one with its key, recorded. */
export function recordedAnswer(
  announcement: Announcement,
  { outcome, quota, recorded, tokenEnd }: Outcome,
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

type Caller = { readonly tokenHash: string } | { readonly publisherId: number }

/** Shows refusals to the owners of tokens and publishers. The answer neither waits for this nor fails with it. */
export function refusalsToOwner(db: Db, log: Log) {
  const record = refusalRecorder(db)
  return (caller: Caller, problem: Problem, source: string | null): void => {
    const { status } = problem
    record({ ...caller, status, reason: reasonOf(problem), source }).catch((error) =>
      log('refusal_lost', { status, ...errorFacts(error) }),
    )
  }
}

/** Throws the problem of a token that may not do what was asked. */
export function refuse(reason: string | null): void {
  if (reason !== null) throw new Problem('forbidden', reason)
}

/** The names of the fields and the reasons, without values. */
function reasonOf({ message, details }: Problem): string {
  if (details === undefined) return message
  return Object.entries(details)
    .map(([field, reasons]) => `${field} ${reasons.join(', ')}`)
    .join('; ')
}
