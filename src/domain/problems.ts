import type { Reasons } from './field-parsing.ts'

type Row = {
  readonly status: number
  /** The standard name of the status. */
  readonly reason: string
  /** Its cause, for the docs. */
  readonly when: string
  /** What to do about it, unless the code that found it knows better. Public. */
  readonly advice: string
  /** The headers that always come with it. */
  readonly headers?: readonly ProblemHeader[]
}

const table = {
  bad_request: {
    status: 400,
    reason: 'Bad Request',
    when: 'The body does not match its media type, or a header (Idempotency-Key, Shipfeed-Hop) is refused. The message says which.',
    advice: 'The body is not valid JSON. Check its quotes and line breaks, or send a form, which needs none.',
  },
  unauthorized: {
    status: 401,
    reason: 'Unauthorized',
    when: 'The token is missing or not valid. Nothing else in the request was checked.',
    advice: 'Send a valid token in the header: Authorization: Bearer <token>.',
    headers: ['WWW-Authenticate'],
  },
  forbidden: {
    status: 403,
    reason: 'Forbidden',
    when: 'The token may not do this. The message says what it may.',
    advice: 'Open the page again and send the form from there.',
  },
  not_found: {
    status: 404,
    reason: 'Not Found',
    when: 'There is nothing at this address.',
    advice: 'There is no page at this address. Check its spelling.',
  },
  method_not_allowed: {
    status: 405,
    reason: 'Method Not Allowed',
    when: 'The address does not accept this method.',
    advice: 'This address accepts only POST.',
    headers: ['Allow'],
  },
  conflict: {
    status: 409,
    reason: 'Conflict',
    when: 'Something changed between reading and writing it.',
    advice:
      'This has changed since you opened it. Look at it again, and repeat your change if it still fits.',
  },
  payload_too_large: {
    status: 413,
    reason: 'Content Too Large',
    when: 'The body is larger than the limit.',
    advice: 'Send a smaller body.',
  },
  unsupported_media_type: {
    status: 415,
    reason: 'Unsupported Media Type',
    when: 'The body is neither JSON nor a form, is compressed, or does not say what it is.',
    advice:
      'Send form fields (with curl: --data-urlencode "message=…") or JSON with its Content-Type, uncompressed and in UTF-8.',
  },
  validation_error: {
    status: 422,
    reason: 'Unprocessable Content',
    when: 'Some fields are not valid. All of them are listed, each with its reasons.',
    advice: 'Nothing was recorded. Correct the fields in details.',
  },
  idempotency_key_reused: {
    status: 422,
    reason: 'Unprocessable Content',
    when: 'The Idempotency-Key was used before, with a different announcement.',
    advice:
      'This Idempotency-Key belongs to another announcement of yours. Use a new key for each deployment.',
  },
  rate_limited: {
    status: 429,
    reason: 'Too Many Requests',
    when: 'Too many announcements in the last minute.',
    // An announcement gets that of `rateLimitAdvice`.
    advice: 'Wait for the seconds in Retry-After, then try again.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  internal_error: {
    status: 500,
    reason: 'Internal Server Error',
    when: 'Something broke on our side.',
    advice: 'This is our fault, and it has been logged. Try again later.',
  },
  not_implemented: {
    status: 501,
    reason: 'Not Implemented',
    when: 'There is no answer in the format that was asked for.',
    advice: 'The only format is JSON: send "format=json", or leave out "format".',
  },
  unavailable: {
    status: 503,
    reason: 'Service Unavailable',
    when: 'The database cannot answer right now. Retry with the same Idempotency-Key; without a key, the deployment may be announced twice.',
    advice: 'The database cannot be reached at the moment. Try again in a few seconds.',
    headers: ['Retry-After'],
  },
} as const satisfies Readonly<Record<string, Row>>

export type ProblemCode = keyof typeof table

/** Every way in which a request can fail, by its code in the API's error shape. */
export const problems: Readonly<Record<ProblemCode, Row>> = table

/** The problems of POST /api; a limit of 0 means none. */
export function announceProblems(perMinute: number): ProblemCode[] {
  const never: ProblemCode[] = ['not_found', 'conflict', 'not_implemented']
  if (perMinute === 0) never.push('rate_limited')
  return (Object.keys(table) as ProblemCode[]).filter((code) => !never.includes(code))
}

/** The content of each header of a problem, for the docs. */
export const problemHeaders = {
  'WWW-Authenticate': 'Bearer',
  Allow: 'the methods that the address accepts',
  'Retry-After': 'the seconds to wait',
  RateLimit: 'the announcements left, and the seconds until there is one more',
  'RateLimit-Policy': 'the announcements allowed, and the seconds that they are counted over',
} as const

type ProblemHeader = keyof typeof problemHeaders

export function tooLargeAdvice(maxBytes: number): string {
  return `The whole body may have at most ${maxBytes} bytes.`
}

/** The advice after more announcements in a minute than are allowed. */
export function rateLimitAdvice(perMinute: number, freeInSeconds: number): string {
  return `At most ${perMinute} announcements a minute. Try again in ${freeInSeconds} s.`
}

/** The advice for a key that belongs to the deployment with this page. */
export function keyReusedAdvice(page: string): string {
  return `${table.idempotency_key_reused.advice} This key announced ${page}`
}

/** A problem in the API's error shape. For a token that does not work, it is only the code. */
export function problemBody(code: ProblemCode, message: string, details?: Reasons): object {
  if (code === 'unauthorized') return { error: 'Unauthorized' }
  return { error: code, message, ...(details === undefined ? {} : { details }) }
}
