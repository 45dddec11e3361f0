import { Elysia } from 'elysia'
import { quotaOf } from '../../data/rate-limit.ts'
import { recorder } from '../../data/recording.ts'
import { refusalRecorder } from '../../data/refusals.ts'
import type { Db } from '../../database/db.ts'
import { callSource } from '../../domain/call-source.ts'
import { isFull } from '../../domain/quota.ts'
import { bearerToken, unauthorized } from '../../http/bearer-token.ts'
import type { Fields } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import { errorFacts } from '../../log/error-facts.ts'
import type { Log } from '../../log/log.ts'
import { rateLimited, recordedAnswer } from './answers.ts'
import { type CallParts, readCall } from './read-announcement.ts'
import { readPosted } from './read-posted.ts'

type Options = {
  db: Db
  baseUrl: string
  ratePerMinute: number
  log: Log
  onAnnounced?: ((outcome: 'created' | 'replayed') => void) | undefined
}

/** POST /api */
export function api({ db, baseUrl, ratePerMinute, log, onAnnounced }: Options) {
  const record = recorder(db, ratePerMinute)
  const keepRefusal = refusalRecorder(db)

  return new Elysia({ name: 'api' }).use(bearerToken()).post(
    '/api',
    async ({ request, tokenHash }) => {
      const posted = readPosted(request)
      try {
        return await announce({ request, posted, tokenHash })
      } catch (error) {
        if (error instanceof Problem) {
          const { fields } = await posted.catch((): { fields: Fields } => ({ fields: {} }))
          keepForOwner(tokenHash, error, callSource(request.headers.get('idempotency-key'), fields.url))
        }
        throw error
      }
    },
    { parse: 'none' },
  )

  async function announce(parts: CallParts): Promise<Response> {
    const { tokenHash } = parts
    const call = await readCall(db, parts).catch(async (error) => {
      if (error instanceof Problem) await checkQuota(tokenHash)
      throw error
    })
    const result = await record({ tokenHash, ...call })
    switch (result.outcome) {
      case 'unauthorized':
        throw unauthorized(tokenEnded)
      case 'rate_limited':
        throw rateLimited(ratePerMinute, result.quota)
      case 'idempotency_key_reused':
        throw new Problem('idempotency_key_reused')
      default:
        onAnnounced?.(result.outcome)
        return recordedAnswer(call.announcement, result, { baseUrl, ratePerMinute })
    }
  }

  /** Token and rate come before whatever is wrong with the body. */
  async function checkQuota(tokenHash: string): Promise<void> {
    const quota = await quotaOf(db, tokenHash, ratePerMinute)
    if (quota === null) throw unauthorized(tokenEnded)
    if (isFull(quota, ratePerMinute)) throw rateLimited(ratePerMinute, quota)
  }

  /** Shows the refusal to the token's owner. The answer neither waits for this nor fails with it. */
  function keepForOwner(tokenHash: string, problem: Problem, source: string | null): void {
    const { status } = problem
    keepRefusal({ tokenHash, status, reason: reasonOf(problem), source }).catch((error) =>
      log('refusal_lost', { status, ...errorFacts(error) }),
    )
  }
}

/** For the owner of a token that is over, as long as we know whose it was. */
const tokenEnded =
  'This token is over: one that was rolled after its 24 hours, one of a publisher after 15 minutes. Give your pipeline the current one.'

/** The names of the fields and the reasons, without values. */
function reasonOf({ message, details }: Problem): string {
  if (details === undefined) return message
  return Object.entries(details)
    .map(([field, reasons]) => `${field} ${reasons.join(', ')}`)
    .join('; ')
}
