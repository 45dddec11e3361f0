import { Elysia } from 'elysia'
import { findToken, hashSecret, ownTokensFinder } from '../../data/account/tokens.ts'
import { quotaReader, type Recording, readFilled, recorder } from '../../data/recording.ts'
import { callSource } from '../../domain/account/call-source.ts'
import { oldTokenHours, publisherTokenMinutes } from '../../domain/account/token.ts'
import { boundedOf, tokenRefusal } from '../../domain/account/token-rights.ts'
import { parseAnnouncement, publicTexts } from '../../domain/announcement/announcement.ts'
import { type Envelope, readEvent } from '../../domain/announcement/cdevent.ts'
import { parseIdempotencyKey } from '../../domain/announcement/idempotency-key.ts'
import { pageOf, recordOf } from '../../domain/deployment.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { isFull, type Quota } from '../../domain/limits.ts'
import { keyReusedAdvice, rateLimitAdvice } from '../../domain/problems.ts'
import { mostHops, readHops } from '../../domain/webhook/hops.ts'
import { bearerToken, unauthorized } from '../../http/bearer-token.ts'
import { type Fields, mediaTypeOf, readFields } from '../../http/body.ts'
import { invalidFields, Problem } from '../../http/problem.ts'
import { empty, json } from '../../http/responses.ts'
import type { Dependencies } from '../route-dependencies.ts'
import { rateLimitHeaders, recordedAnswer } from './answers.ts'
import { refusalsToOwner, refuse } from './refusals.ts'

/** POST /api announces a deployment; POST /api/check answers the same call without recording anything. */
export function announcements({ db, baseUrl, ratePerMinute, log, onAnnounced }: Dependencies) {
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
        const checked = { ...announced, id: null, deployedAt: token.now, poster: token.owner }
        return json(200, recordOf(checked, baseUrl), rateLimitHeaders(ratePerMinute, quota))
      },
      { parse: 'none' },
    )

  /**
   * Reports an invalid token and an exhausted rate before a problem with the body. Announcements are read first,
   * because the statement that records them checks token and rate; events take longer to read, so they wait for it.
   */
  async function readWithinQuota(
    { headers }: Request,
    tokenHash: string,
    read: () => Promise<Recording | null>,
  ): Promise<Recording | null> {
    if (isEvent(headers)) {
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
    if (key.outcome === 'invalid') throw new Problem('bad_request', key.reason)
    const ownTokens = await findOwnTokens(publicTexts(posted.fields), { tokenHash })
    const hops = readHops(headers.get('shipfeed-hop'))
    if (hops === null) throw new Problem('bad_request', tooManyHops)
    const parsed = parseAnnouncement(posted.fields, { now: new Date(), ownTokens })
    if (parsed.outcome === 'invalid') {
      const details = renamed(parsed.reasons, posted.members)
      throw invalidFields(details)
    }
    const call = { tokenHash, announcement: parsed.announcement, idempotencyKey: key.key ?? posted.key }
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

/** An announcement as it was posted, before it is validated. */
type Posted = {
  readonly fields: Fields
  /** The caller's names of the fields, where they differ from ours. */
  readonly members: Readonly<Record<string, string>>
  /** The key of an event, in place of an Idempotency-Key. */
  readonly key: string | null
}

/** Whether a call sends an event, in either mode of CloudEvents. */
function isEvent(headers: Headers): boolean {
  const mediaType = mediaTypeOf(headers.get('content-type') ?? '')
  return mediaType.startsWith('application/cloudevents') || headers.has('ce-specversion')
}

/** Reads an announcement, or a CDEvent in either mode of CloudEvents; null for an event of another kind. */
async function readPosted(request: Request): Promise<Posted | null> {
  const { headers } = request
  const mediaType = mediaTypeOf(headers.get('content-type') ?? '')
  if (mediaType.startsWith('application/cloudevents-batch')) {
    throw new Problem('unsupported_media_type', 'Send events one at a time, as application/cloudevents+json.')
  }
  const fields = await readFields(request)
  if (mediaType === 'application/cloudevents+json') {
    const { id, source, type, data, data_base64: encoded } = fields
    return postedBy(data, { id, source, type }, { isEncoded: encoded !== undefined && data === undefined })
  }
  const isBinary = headers.has('ce-specversion') && mediaType.endsWith('json')
  if (!isBinary) return { fields, members: {}, key: null }
  const [id, source, type] = ['ce-id', 'ce-source', 'ce-type'].map((name) => headers.get(name))
  return postedBy(fields, { id, source, type })
}

function postedBy(event: unknown, envelope: Envelope, { isEncoded = false } = {}): Posted | null {
  const read = readEvent(event, envelope)
  if (read.outcome === 'another_kind') return null
  if (read.outcome === 'invalid') {
    const details = isEncoded ? { data_base64: ['must be the event as JSON, in data'] } : read.reasons
    throw invalidFields(details)
  }
  const { fields, members, key } = read.announcement
  return { fields, members, key: keyOf(key) }
}

/** Hashes a long or unprintable key. The space sets the result apart from keys of headers. */
function keyOf(key: string): string {
  return /^[\x20-\x7e]{1,255}$/.test(key) ? key : `sha256 ${hashSecret(key)}`
}

const tooManyHops = `Shipfeed-Hop must be a number below ${mostHops}: an announcement that has passed through ${mostHops} webhooks may be in a loop. Announce to this server directly.`

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
