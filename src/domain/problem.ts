import { maxBodyBytes } from './announcement.ts'
import type { Reasons } from './reasons.ts'

type Row = {
  readonly status: number
  /** The status in HTTP's words. */
  readonly reason: string
  /** The heading of its page. */
  readonly title: string
  /** Its cause, for the docs. */
  readonly when: string
  /** What to do about it, if nothing more particular is known. Safe to show anybody. */
  readonly advice: string
  /** The headers that always come with it. */
  readonly headers?: readonly ProblemHeader[]
}

const table = {
  bad_request: {
    status: 400,
    reason: 'Bad Request',
    title: 'That request cannot be read',
    when: 'The body is not what its media type says, or the Idempotency-Key is not spelled like one. The message says which.',
    advice: 'The body is not valid JSON. Check its quotes and line breaks, or send a form, which needs none.',
  },
  unauthorized: {
    status: 401,
    reason: 'Unauthorized',
    title: 'That token is not valid',
    when: 'The token is missing or not valid. Nothing else of the request was looked at.',
    advice: 'Send a valid token in the header: Authorization: Bearer <token>.',
    headers: ['WWW-Authenticate'],
  },
  forbidden: {
    status: 403,
    reason: 'Forbidden',
    title: 'That is not allowed',
    when: 'A form did not come from our own pages, or is not for this user.',
    advice: 'Open the page again, and send the form from there.',
  },
  not_found: {
    status: 404,
    reason: 'Not Found',
    title: 'There is nothing here',
    when: 'Nothing has this address.',
    advice: 'No page has this address. Check its spelling.',
  },
  method_not_allowed: {
    status: 405,
    reason: 'Method Not Allowed',
    title: 'That method does not work here',
    when: 'The address does not take this method.',
    advice: 'This address takes POST only.',
    headers: ['Allow'],
  },
  conflict: {
    status: 409,
    reason: 'Conflict',
    title: 'That changed meanwhile',
    when: 'Something changed between reading and writing it.',
    advice: 'This was changed meanwhile. Look at it again, and send your change once more.',
  },
  payload_too_large: {
    status: 413,
    reason: 'Content Too Large',
    title: 'That is too large',
    when: 'The body is larger than the limit.',
    advice: `Keep the whole body within ${maxBodyBytes} bytes.`,
  },
  unsupported_media_type: {
    status: 415,
    reason: 'Unsupported Media Type',
    title: 'That kind of body cannot be read',
    when: 'The body is neither JSON nor a form, is compressed, or does not say what it is.',
    advice:
      'Send form fields (with curl: --data-urlencode "message=…") or JSON with its Content-Type, uncompressed and in UTF-8.',
  },
  validation_error: {
    status: 422,
    reason: 'Unprocessable Content',
    title: 'That is not valid',
    when: 'Fields are not valid. All of them are named at once, each with its reasons.',
    advice: 'Nothing was recorded. Correct the fields in details.',
  },
  idempotency_key_reused: {
    status: 422,
    reason: 'Unprocessable Content',
    title: 'That key was used before',
    when: 'The Idempotency-Key came with another payload before.',
    advice:
      'This Idempotency-Key belongs to another announcement of yours. Use a new key for each deployment.',
  },
  rate_limited: {
    status: 429,
    reason: 'Too Many Requests',
    title: 'That was too often',
    when: 'Too many announcements in the last minute.',
    advice: 'Wait as many seconds as Retry-After says, and try again.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  internal_error: {
    status: 500,
    reason: 'Internal Server Error',
    title: 'Something broke on our side',
    when: 'Something broke on our side.',
    advice: 'This is a fault of ours, and it has been logged. Try again later.',
  },
  unavailable: {
    status: 503,
    reason: 'Service Unavailable',
    title: 'Back in a moment',
    when: 'The database cannot answer right now. Send it again with the same Idempotency-Key; without a key, it may be announced twice.',
    advice: 'The database cannot be reached at the moment. Try again in a few seconds.',
    headers: ['Retry-After'],
  },
} as const satisfies Readonly<Record<string, Row>>

export type ProblemCode = keyof typeof table

/** Every way in which a request can fail, by its code in the API's error shape. */
export const problems: Readonly<Record<ProblemCode, Row>> = table

/** The problems that POST /api can end with, given the announcements allowed a minute (0: any number). */
export function announceProblems(perMinute: number): ProblemCode[] {
  const never: ProblemCode[] = ['forbidden', 'not_found', 'conflict']
  if (perMinute === 0) never.push('rate_limited')
  return (Object.keys(table) as ProblemCode[]).filter((code) => !never.includes(code))
}

/** What each header of a problem holds, for the docs. */
export const problemHeaders = {
  'WWW-Authenticate': 'Bearer',
  Allow: 'the methods that the address takes',
  'Retry-After': 'the seconds to wait',
  RateLimit: 'how many announcements are left, and in how many seconds one more',
  'RateLimit-Policy': 'how many announcements fit in how many seconds',
} as const

export type ProblemHeader = keyof typeof problemHeaders

/** The advice to somebody who announced more than the configured number in a minute. */
export function rateLimitAdvice(perMinute: number, freeInSeconds: number): string {
  return `At most ${perMinute} announcements a minute. Try again in ${freeInSeconds} s.`
}

/** A problem in the API's error shape. For a token that does not work there is nothing but the code. */
export function problemBody(code: ProblemCode, message: string, details?: Reasons): object {
  if (code === 'unauthorized') return { error: 'Unauthorized' }
  return { error: code, message, ...(details === undefined ? {} : { details }) }
}
