import { Elysia } from 'elysia'
import { type Quota, quotaOf } from '../../data/rate-limit.ts'
import { type Recorded, type RecordingOutcome, recorder } from '../../data/recording.ts'
import { refusalRecorder } from '../../data/refusals.ts'
import { hashSecret } from '../../data/secret.ts'
import type { Db } from '../../database/db.ts'
import type { Announcement } from '../../domain/announcement.ts'
import { timestampOf } from '../../domain/time.ts'
import { isToken } from '../../domain/token.ts'
import { bearerToken } from '../../http/bearer.ts'
import { logLine } from '../../http/log.ts'
import { Problem } from '../../http/problem.ts'
import { json } from '../../http/respond.ts'
import { type Refused, readCall, refused } from './announce-call.ts'
import { rateLimitHeaders } from './rate-limit.ts'

type Options = { db: Db; baseUrl: string; ratePerMinute: number; log: (line: string) => void }

/** POST /api: the door of pipelines. */
export function api({ db, baseUrl, ratePerMinute, log }: Options) {
  const record = recorder(db, ratePerMinute)
  const keepRefusal = refusalRecorder(db)

  return new Elysia({ name: 'api' }).use(bearerToken()).post(
    '/api',
    async ({ bearer, request }) => {
      if (bearer === undefined || !isToken(bearer)) return unauthorized().response
      const tokenHash = hashSecret(bearer)
      const answer = await answerTo(request, tokenHash)
      if (answer instanceof Response) return answer
      tellOwner(tokenHash, answer)
      return answer.response
    },
    { parse: 'none' },
  )

  async function answerTo(request: Request, tokenHash: string): Promise<Response | Refused> {
    const call = await readCall(request)
    if (!call.ok) {
      // The order of the decisions: whatever is wrong with the body, token and rate come first.
      const quota = await quotaOf(db, tokenHash, ratePerMinute)
      if (quota === null) return unauthorized()
      return isSpent(quota) ? rateLimited(quota) : call
    }
    const { announcement, idempotencyKey } = call
    return resultOf(announcement, await record({ tokenHash, announcement, idempotencyKey }))
  }

  function isSpent({ posted }: Quota): boolean {
    return ratePerMinute > 0 && posted >= ratePerMinute
  }

  function resultOf(announcement: Announcement, result: RecordingOutcome): Response | Refused {
    switch (result.outcome) {
      case 'unauthorized':
        return unauthorized()
      case 'rate_limited':
        return rateLimited(result.quota)
      case 'idempotency_key_reused':
        return refused(
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

  function rateLimited(quota: Quota): Refused {
    const message = `At most ${ratePerMinute} announcements a minute. Try again in ${quota.freeInSeconds} s.`
    return refused(
      new Problem('rate_limited', message, {
        'Retry-After': String(quota.freeInSeconds),
        ...rateLimitHeaders(ratePerMinute, quota),
      }),
    )
  }

  /** The answer neither waits for this nor fails with it. */
  function tellOwner(tokenHash: string, { response, reason }: Refused): void {
    keepRefusal({ tokenHash, status: response.status, reason }).catch((error) =>
      log(logLine({ status: response.status, failed: 'to tell the owner of this refusal' }, error)),
    )
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

/** The owner of a token that was rolled away hears of what still uses it, while we know whose it was. */
function unauthorized(): Refused {
  return {
    response: json(401, { error: 'Unauthorized' }, { 'WWW-Authenticate': 'Bearer' }),
    reason: 'This token was rolled, and its 24 hours are over. Give your pipeline the current one.',
  }
}
