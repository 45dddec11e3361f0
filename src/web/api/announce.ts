import { Elysia } from 'elysia'
import { findToken, ownTokensFinder } from '../../data/account/tokens.ts'
import { quotaReader, type Recording, readFilled, readReplaced, recorder } from '../../data/recording.ts'
import { callSource } from '../../domain/account/call-source.ts'
import { oldTokenHours, publisherTokenMinutes } from '../../domain/account/token.ts'
import { boundedOf, tokenRefusal } from '../../domain/account/token-rights.ts'
import { parseAnnouncement, publicTexts } from '../../domain/announcement/announcement.ts'
import { maxHops, readHops } from '../../domain/announcement/hops.ts'
import { parseIdempotencyKey } from '../../domain/announcement/idempotency-key.ts'
import { isFull, type Quota } from '../../domain/announcement/quota.ts'
import { pageOf, recordOf } from '../../domain/deployment.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { keyReusedAdvice, rateLimitAdvice } from '../../domain/problems.ts'
import { bearerToken, unauthorized } from '../../http/bearer-token.ts'
import { readFields } from '../../http/body.ts'
import { invalidFields, Problem } from '../../http/problem.ts'
import { empty, json } from '../../http/responses.ts'
import type { Dependencies } from '../route-dependencies.ts'
import { rateLimitHeaders, recordedAnswer } from './answers.ts'
import type { Posted } from './posted.ts'
import { refusalsToOwner, refuse } from './refused-calls.ts'

/** POST /api announces a deployment; POST /api/check answers the same call without recording anything. */
export function announcements({ db, baseUrl, ratePerMinute, log, onAnnounced, bodies }: Dependencies) {
  const record = recorder(db, ratePerMinute)
  const readQuota = quotaReader(db, ratePerMinute)
  const findOwnTokens = ownTokensFinder(db)
  const showToOwner = refusalsToOwner(db, log)

  return new Elysia({ name: 'announce' })
    .use(bearerToken())
    .post(
      '/api',
      async ({ request, tokenHash }) => {
        const { headers } = request
        let link: unknown
        try {
          const call = await readWithinQuota(request, tokenHash, async () => {
            const posted = await readPosted(request)
            link = posted?.fields.url
            return posted === null ? null : await readCall(posted, headers, tokenHash)
          })
          return call === null ? empty(202) : await recorded(call)
        } catch (error) {
          if (error instanceof Problem)
            showToOwner({ tokenHash }, error, callSource(headers.get('idempotency-key'), link))
          throw error
        }
      },
      { parse: 'none' },
    )
    .post(
      '/api/check',
      async ({ request, tokenHash }) => {
        const token = await findToken(db, tokenHash)
        if (token === null) throw unauthorized()
        const quota = await checkQuota(tokenHash)
        const posted = await readPosted(request)
        if (posted === null) return empty(202)
        const { announcement } = await readCall(posted, request.headers, tokenHash)
        refuse(tokenRefusal(token, 'announce', boundedOf(announcement)))
        const announced = { ...announcement, ...(await readFilled(db, tokenHash, announcement)) }
        const replaced = await readReplaced(db, token.owner.id, announced)
        const checked = { ...announced, id: null, deployedAt: token.now, poster: token.owner, replaced }
        return json(200, recordOf(checked, baseUrl), rateLimitHeaders(ratePerMinute, quota))
      },
      { parse: 'none' },
    )

  function readerOf(headers: Headers) {
    return bodies.find(({ recognises }) => recognises(headers))
  }

  async function readPosted(request: Request): Promise<Posted | null> {
    const reader = readerOf(request.headers)
    return reader === undefined
      ? { fields: await readFields(request), members: {}, key: null }
      : await reader.read(request)
  }

  /**
   * Reports an invalid token and an exhausted rate before a problem with the body. Announcements are read first,
   * because the statement that records them checks token and rate. Other bodies take longer to read, so token and
   * rate are checked before.
   */
  async function readWithinQuota(
    { headers }: Request,
    tokenHash: string,
    read: () => Promise<Recording | null>,
  ): Promise<Recording | null> {
    if (readerOf(headers) !== undefined) {
      await checkQuota(tokenHash)
      return await read()
    }
    return await read().catch(async (error) => {
      if (error instanceof Problem) await checkQuota(tokenHash)
      throw error
    })
  }

  async function readCall(posted: Posted, headers: Headers, tokenHash: string): Promise<Recording> {
    const key = parseIdempotencyKey(headers.get('idempotency-key'))
    if (key.outcome === 'invalid') throw new Problem('bad_request', key.reasons[0])
    const hops = readHops(headers.get('shipfeed-hop'))
    if (hops === null) throw new Problem('bad_request', tooManyHops)
    const ownTokens = await findOwnTokens(publicTexts(posted.fields), { tokenHash })
    const parsed = parseAnnouncement(posted.fields, { now: new Date(), ownTokens })
    if (parsed.outcome === 'invalid') {
      throw invalidFields(renamed(parsed.reasons, posted.members))
    }
    const call = { tokenHash, announcement: parsed.announcement, idempotencyKey: key.value ?? posted.key }
    return hops === 0 ? call : { ...call, hops }
  }

  async function recorded(call: Recording): Promise<Response> {
    const result = await record(call)
    switch (result.outcome) {
      case 'unauthorized':
        throw unauthorized(tokenEnded)
      case 'forbidden':
        throw new Problem(
          'forbidden',
          tokenRefusal(result.token, 'announce', boundedOf(call.announcement)) ?? undefined,
        )
      case 'rate_limited':
        throw rateLimited(ratePerMinute, result.quota)
      case 'idempotency_key_reused':
        throw new Problem('idempotency_key_reused', keyReusedAdvice(pageOf(result.owner, baseUrl)))
      default:
        onAnnounced?.(result.outcome)
        return recordedAnswer(call.announcement, result, { baseUrl, ratePerMinute })
    }
  }

  async function checkQuota(tokenHash: string): Promise<Quota> {
    const quota = await readQuota(tokenHash)
    if (quota === null) throw unauthorized(tokenEnded)
    if (isFull(quota, ratePerMinute)) throw rateLimited(ratePerMinute, quota)
    return quota
  }
}

const tooManyHops = `Shipfeed-Hop must be a number below ${maxHops}: an announcement that has passed through ${maxHops} webhooks may be in a loop. Announce to this server directly.`

const tokenEnded = `This token has ended: a rolled token ends after ${oldTokenHours} hours, one with a last day after that day, and one of a publisher after ${publisherTokenMinutes} minutes. Give your pipeline the current one.`

function renamed(reasons: Reasons, members: Posted['members']): Reasons {
  return Object.fromEntries(Object.entries(reasons).map(([name, list]) => [members[name] ?? name, list]))
}

function rateLimited(ratePerMinute: number, quota: Quota): Problem {
  return new Problem('rate_limited', rateLimitAdvice(ratePerMinute, quota.freeInSeconds), {
    'Retry-After': String(quota.freeInSeconds),
    ...rateLimitHeaders(ratePerMinute, quota),
  })
}
