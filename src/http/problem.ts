/** Every way in which a request can fail, by its code in the API's error shape (decisions, "POST /api"). */
const problems = {
  bad_request: { status: 400, title: 'That request cannot be read' },
  forbidden: { status: 403, title: 'That is not allowed' },
  not_found: { status: 404, title: 'There is nothing here' },
  method_not_allowed: { status: 405, title: 'That method does not work here' },
  payload_too_large: { status: 413, title: 'That is too large' },
  unsupported_media_type: { status: 415, title: 'That kind of body cannot be read' },
  idempotency_key_reused: { status: 422, title: 'That key was used before' },
  rate_limited: { status: 429, title: 'That was too often' },
  internal_error: { status: 500, title: 'Something broke on our side' },
  unavailable: { status: 503, title: 'Back in a moment' },
} as const

export type ProblemCode = keyof typeof problems

/** Ends a request with an error. The message says what to do about it, in words safe to show anybody. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.headers = headers
  }

  get status(): number {
    return problems[this.code].status
  }

  get title(): string {
    return problems[this.code].title
  }
}

/** Ends a request of somebody who must sign in first. */
export class SignInRequired extends Error {}
