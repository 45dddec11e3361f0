import { publisherTokenMinutes } from '../../../domain/account/token.ts'
import { keyPattern, maxKeyCharacters, maxMessageBytes, mostHops } from '../../../domain/announcement.ts'
import { withdrawableHours } from '../../../domain/deployment.ts'
import { announceProblems, type ProblemCode, problems } from '../../../domain/problems.ts'
import { maxBodyBytes } from '../../../http/body.ts'
import { recorded } from '../../../views/docs/answers.tsx'
import { crowded, deploymentId, headersOf, otherMethod, problemAnswer, tooMany } from './parts.ts'
import { reference, text } from './schemas.ts'

/** POST /api. `perMinute` is the number of announcements accepted from a user in a minute; 0 means no limit. */
export function announce(perMinute: number) {
  return {
    operationId: 'announceDeployment',
    summary: 'Announce a deployment',
    description: `A message is at most ${maxMessageBytes} bytes of UTF-8.`,
    ...call(announceProblems(perMinute), { 201: created(perMinute) }),
  }
}

/** POST /api/check */
export function check(perMinute: number) {
  const codes = announceProblems(perMinute).filter((code) => code !== 'idempotency_key_reused')
  return {
    operationId: 'checkAnnouncement',
    summary: 'Check an announcement without recording it',
    description:
      'Answers as POST /api does, but records nothing and does not count towards the rate limit. Only the form of an Idempotency-Key is checked.',
    ...call(codes, {
      200: {
        description: 'The record as it would be, without an id',
        // Without an example, because Spectral breaks on null in one.
        content: { 'application/json': { schema: reference('CheckedDeployment') } },
        headers: rateHeaders(perMinute),
      },
    }),
  }
}

/** A call with an announcement as its body, with the problems that it may meet and its other answers. */
function call(codes: readonly ProblemCode[], answers: Readonly<Record<number, object>>) {
  const body = { schema: reference('Announcement') }
  const statuses = [...new Set(codes.map((code) => problems[code].status))]
  const problemsOf = (status: number) => codes.filter((code) => problems[code].status === status)
  return {
    tags: ['Announce'],
    security: [{ token: [] }],
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: `1 to ${maxKeyCharacters} visible ASCII characters, quoted or bare. A retry with the same key makes no second deployment.`,
        schema: { ...text, pattern: keyPattern },
      },
      {
        name: 'Shipfeed-Hop',
        in: 'header',
        description: `How many webhooks of Shipfeed the announcement has passed through; relays must pass it on. At most ${mostHops - 1}.`,
        schema: { type: 'integer', minimum: 0, maximum: mostHops - 1 },
      },
      {
        name: 'ce-specversion',
        in: 'header',
        description: 'Says that the JSON is a CDEvent in the binary mode of CloudEvents',
        schema: text,
        example: '1.0',
      },
    ],
    requestBody: {
      required: true,
      description: `At most ${maxBodyBytes} bytes.`,
      content: {
        'application/json': { schema: { anyOf: [reference('Announcement'), reference('Event')] } },
        'application/cloudevents+json': { schema: reference('CloudEvent') },
        'application/x-www-form-urlencoded': body,
        'multipart/form-data': body,
      },
    },
    responses: {
      ...answers,
      202: { description: 'A valid event of another kind; nothing is announced' },
      ...Object.fromEntries(statuses.map((status) => [status, problemAnswer(problemsOf(status))])),
    },
  }
}

/** The answer to an announcement that is recorded. */
export function created(perMinute: number) {
  return {
    description: 'Recorded; also the answer to a retry of a recorded announcement',
    content: { 'application/json': { schema: reference('Deployment'), example: recorded.body } },
    headers: {
      Location: {
        description: 'The permanent page of the deployment',
        required: true,
        schema: { ...text, format: 'uri' },
      },
      'Shipfeed-Token-Expires': {
        description:
          'If the token ends: when, and the whole days until then, as `"2026-12-01T00:00:00Z";days=9`',
        schema: { ...text, pattern: '^"[0-9TZ:-]{20}";days=[0-9]+$' },
      },
      'Idempotent-Replayed': { description: 'On a retry', schema: { const: 'true' } },
      ...rateHeaders(perMinute),
    },
  }
}

const rateHeaders = (perMinute: number) =>
  perMinute === 0 ? {} : headersOf(['RateLimit', 'RateLimit-Policy'])

/** The answer to a problem that has another cause here than at POST /api. */
const because = (code: ProblemCode, description: string) => ({ ...problemAnswer([code]), description })

/** GET /api/token */
export const tokenOperation = {
  operationId: 'getToken',
  tags: ['Announce'],
  summary: 'What the token may do, without using it',
  description: 'For a pipeline that tests its token. The answer contains no secret.',
  security: [{ token: [] }],
  responses: {
    200: {
      description: 'The name of the token, its rights and bounds, and its end',
      content: { 'application/json': { schema: reference('TokenFacts') } },
    },
    401: problemAnswer(['unauthorized']),
    405: otherMethod,
    429: tooMany(crowded),
    500: problemAnswer(['internal_error']),
    503: because('unavailable', 'The database cannot answer right now.'),
  },
}

const body = { schema: reference('IdentityToken') }

const none = because('not_found', 'This server takes no identity tokens.')

/** POST /api/oidc */
export const exchangeOperation = {
  operationId: 'exchangeToken',
  tags: ['Announce'],
  summary: `Exchange the identity token of a job for a token that announces for ${publisherTokenMinutes} minutes`,
  description:
    'The user must list the pipeline among their trusted publishers. Each identity token works once.',
  security: [],
  requestBody: {
    required: true,
    description: `At most ${maxBodyBytes} bytes.`,
    content: {
      'application/json': body,
      'application/x-www-form-urlencoded': body,
      'multipart/form-data': body,
    },
  },
  responses: {
    201: {
      description: 'A token for POST /api',
      content: {
        'application/json': {
          schema: reference('Token'),
          example: {
            token: 'ship_9aBcXeY3kQzB9aBcXeY3kQzB9aBcXeY3kQzB',
            expires_at: '2026-03-12T14:18:22Z',
          },
        },
      },
    },
    400: problemAnswer(['bad_request']),
    401: because('unauthorized', 'The token was not signed by a listed issuer.'),
    403: because(
      'forbidden',
      'The token has another audience, is expired or not yet valid, or matches no publisher. The message names the claim.',
    ),
    404: none,
    405: otherMethod,
    413: problemAnswer(['payload_too_large']),
    415: problemAnswer(['unsupported_media_type']),
    422: because('validation_error', 'A field is missing, or the token was used before.'),
    429: tooMany('Too many tokens from this address were refused, or it has too many requests in progress.'),
    500: problemAnswer(['internal_error']),
    503: because(
      'unavailable',
      'The database cannot answer right now, or the keys of the issuer cannot be fetched.',
    ),
  },
}

/** DELETE /api/oidc */
export const endOperation = {
  operationId: 'endToken',
  tags: ['Announce'],
  summary: 'End a token of POST /api/oidc before it expires',
  description: `For a job that has announced. Otherwise the token expires after ${publisherTokenMinutes} minutes.`,
  security: [{ token: [] }],
  responses: {
    204: { description: 'The token has ended.' },
    401: because('unauthorized', 'This is not a token of a publisher, or it has ended.'),
    404: none,
    405: otherMethod,
    429: tooMany(crowded),
    500: problemAnswer(['internal_error']),
    503: because('unavailable', 'The database cannot answer right now.'),
  },
}

/** DELETE /api/deployments/{id} */
export const withdraw = {
  operationId: 'withdrawDeployment',
  tags: ['Announce'],
  summary: 'Withdraw a deployment',
  description: `By a token of the user who announced it, within ${withdrawableHours} hours.`,
  parameters: [deploymentId],
  security: [{ token: [] }],
  responses: {
    204: { description: 'The deployment is withdrawn.' },
    401: problemAnswer(['unauthorized']),
    403: because(
      'forbidden',
      'Another user announced it, it is too old, or the token may not withdraw it. The message says which.',
    ),
    404: because('not_found', 'There is no such deployment, or it was withdrawn.'),
    405: otherMethod,
    429: tooMany(crowded),
    500: problemAnswer(['internal_error']),
    503: because('unavailable', 'The database cannot answer right now.'),
  },
}
