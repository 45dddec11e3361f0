import { Elysia } from 'elysia'
import type { Db } from '../data/database.ts'
import { type Quota, quotaOf } from '../data/quota.ts'
import { type Recorded, type RecordingOutcome, recorder } from '../data/recording.ts'
import { hashSecret } from '../data/secret.ts'
import { type Announcement, parseAnnouncement, type Reasons } from '../domain/announcement.ts'
import { parseIdempotencyKey } from '../domain/idempotency-key.ts'
import { timestampOf } from '../domain/timestamp.ts'
import { isToken } from '../domain/token.ts'
import { bearerToken } from './bearer.ts'
import { readFields } from './body.ts'
import { Problem } from './problem.ts'
import { rateLimitHeaders } from './rate-limit.ts'
import { json, problemJson } from './respond.ts'

type Options = { db: Db; baseUrl: string; ratePerMinute: number }

/** POST /api: the door of pipelines. */
export function api({ db, baseUrl, ratePerMinute }: Options) {
  const record = recorder(db, ratePerMinute)

  return new Elysia({ name: 'api' }).use(bearerToken()).post(
    '/api',
    async ({ bearer, request }) => {
      if (bearer === undefined || !isToken(bearer)) return unauthorized()
      const tokenHash = hashSecret(bearer)
      const call = await readCall(request)
      if (call instanceof Response) {
        // The order of the decisions: whatever is wrong with the body, token and rate come first.
        const quota = await quotaOf(db, tokenHash, ratePerMinute)
        if (quota === null) return unauthorized()
        return isSpent(quota) ? rateLimited(quota) : call
      }
      return answer(call.announcement, await record({ tokenHash, ...call }))
    },
    { parse: 'none' },
  )

  function isSpent({ posted }: Quota): boolean {
    return ratePerMinute > 0 && posted >= ratePerMinute
  }

  function answer(announcement: Announcement, result: RecordingOutcome): Response {
    switch (result.outcome) {
      case 'unauthorized':
        return unauthorized()
      case 'rate_limited':
        return rateLimited(result.quota)
      case 'idempotency_key_reused':
        return problemJson(
          new Problem(
            'idempotency_key_reused',
            'This Idempotency-Key belongs to another announcement of yours. Use a new key for each deployment.',
          ),
        )
      default:
        return json(201, recordOf(announcement, result.recorded), {
          Location: `${baseUrl}/${result.recorded.poster.username}/${result.recorded.id}`,
          ...rateLimitHeaders(ratePerMinute, result.quota),
          ...(result.outcome === 'replayed' ? { 'Idempotent-Replayed': 'true' } : {}),
        })
    }
  }

  function rateLimited(quota: Quota): Response {
    const message = `At most ${ratePerMinute} announcements a minute. Try again in ${quota.freeInSeconds} s.`
    return problemJson(
      new Problem('rate_limited', message, {
        'Retry-After': String(quota.freeInSeconds),
        ...rateLimitHeaders(ratePerMinute, quota),
      }),
    )
  }
}

type Call = { readonly announcement: Announcement; readonly idempotencyKey: string | null }

async function readCall(request: Request): Promise<Call | Response> {
  try {
    const fields = await readFields(request)
    const key = parseIdempotencyKey(request.headers.get('idempotency-key'))
    if (!key.ok) throw new Problem('bad_request', key.reason)
    const parsed = parseAnnouncement(fields)
    return parsed.ok
      ? { announcement: parsed.announcement, idempotencyKey: key.key }
      : invalid(parsed.reasons)
  } catch (error) {
    if (error instanceof Problem) return problemJson(error)
    throw error
  }
}

/** The record of the specification, and `category`. */
function recordOf({ message, url }: Announcement, { id, deployedAt, category, poster }: Recorded) {
  return {
    id,
    message,
    url,
    category,
    deployed_at: timestampOf(deployedAt),
    user: { id: poster.id, name: poster.name },
    status: 'success',
  }
}

function unauthorized(): Response {
  return json(401, { error: 'Unauthorized' }, { 'WWW-Authenticate': 'Bearer' })
}

function invalid(details: Reasons): Response {
  return json(422, {
    error: 'validation_error',
    message: 'The announcement was not recorded. Correct the fields in details.',
    details,
  })
}
