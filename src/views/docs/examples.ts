export type Example = {
  readonly status: number
  readonly when: string
  readonly headers?: string
  /** Exactly what is answered; test/web/docs-answers.test.ts brings each one about and compares. */
  readonly body: object
}

const error = (name: string, message: string) => ({ error: name, message })

/** Every answer of POST /api, as it is sent. */
export const answers = {
  recorded: {
    status: 201,
    when: 'Recorded; also the answer to a retry of what was recorded.',
    headers: 'Location: the page of the deployment',
    body: {
      id: 412,
      message: '✨ Saved searches',
      url: 'https://github.com/ada/engine/pull/412',
      category: 'feature',
      deployed_at: '2026-03-12T14:03:22Z',
      user: { id: 7, name: 'Ada Lovelace' },
      status: 'success',
    },
  },
  unreadable: {
    status: 400,
    when: 'The body is not what its media type says: broken JSON, UTF-8 or percent escape.',
    body: error(
      'bad_request',
      'A form field has a broken percent escape. Let curl escape it: --data-urlencode "message=…".',
    ),
  },
  unauthorized: {
    status: 401,
    when: 'The token is missing or not valid. Nothing else of the request was looked at.',
    headers: 'WWW-Authenticate: Bearer',
    body: { error: 'Unauthorized' },
  },
  wrongMethod: {
    status: 405,
    when: 'Another method than POST.',
    headers: 'Allow: POST',
    body: error('method_not_allowed', 'This address takes POST only.'),
  },
  tooLarge: {
    status: 413,
    when: 'The body is larger than the limit.',
    body: error('payload_too_large', 'Keep the whole body within 65536 bytes.'),
  },
  otherMediaType: {
    status: 415,
    when: 'The body is neither JSON nor a form, or does not say what it is.',
    body: error(
      'unsupported_media_type',
      'Send the announcement as form fields (curl --data-urlencode "message=…") or as JSON, uncompressed and in UTF-8.',
    ),
  },
  invalid: {
    status: 422,
    when: 'Fields are not valid. All of them are named at once, each with its reasons.',
    body: {
      ...error('validation_error', 'The announcement was not recorded. Correct the fields in details.'),
      details: { message: ["can't be blank"], url: ['must start with http:// or https://'] },
    },
  },
  keyReused: {
    status: 422,
    when: 'The Idempotency-Key came with another payload before.',
    body: error(
      'idempotency_key_reused',
      'This Idempotency-Key belongs to another announcement of yours. Use a new key for each deployment.',
    ),
  },
  tooOften: {
    status: 429,
    when: 'Too many announcements in the last minute.',
    headers: 'Retry-After: the seconds to wait',
    body: error('rate_limited', 'At most 60 announcements a minute. Try again in 12 s.'),
  },
  fault: {
    status: 500,
    when: 'Something broke on our side.',
    body: error('internal_error', 'This is a fault of ours, and it has been logged. Try again later.'),
  },
  unavailable: {
    status: 503,
    when: 'The database cannot answer right now. Nothing is lost by sending it again.',
    headers: 'Retry-After: the seconds to wait',
    body: error('unavailable', 'The database cannot be reached at the moment. Try again in a few seconds.'),
  },
} as const satisfies Readonly<Record<string, Example>>
