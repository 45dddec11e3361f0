import { maxBodyBytes } from '../../../domain/announcement.ts'
import type { ProblemCode } from '../../../domain/problem.ts'
import { headersOf, problemAnswer } from './answers.ts'
import { reference } from './schemas.ts'

const body = { schema: reference('IdentityToken') }

/** The answer to a problem whose cause is another one than of POST /api. */
const because = (code: ProblemCode, description: string) => ({ ...problemAnswer([code]), description })

const none = because('not_found', 'This server takes no identity tokens.')

/** POST /api/oidc */
export const exchangeToken = {
  operationId: 'exchangeToken',
  summary: 'Exchange the identity token of a job for a token that announces for 15 minutes',
  description:
    'The user has to list the pipeline among their trusted publishers. Each identity token is good once.',
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
    401: because('unauthorized', 'No listed issuer has signed that token.'),
    403: because(
      'forbidden',
      'The token is not for us, not for now, or of no publisher. The message names the claim.',
    ),
    404: none,
    413: problemAnswer(['payload_too_large']),
    415: problemAnswer(['unsupported_media_type']),
    422: because('validation_error', 'A field is missing, or the token was used before.'),
    429: {
      ...because('rate_limited', 'Too many tokens from this address were refused.'),
      headers: headersOf(['Retry-After']),
    },
    500: problemAnswer(['internal_error']),
    503: because('unavailable', 'The database cannot answer right now, or the issuer gives no keys.'),
  },
}

/** DELETE /api/oidc */
export const endToken = {
  operationId: 'endToken',
  summary: 'End a token of POST /api/oidc before its time',
  security: [{ token: [] }],
  responses: {
    204: { description: 'It works no more.' },
    401: because('unauthorized', 'There is no such token of a publisher, or it is over.'),
    404: none,
    500: problemAnswer(['internal_error']),
    503: because('unavailable', 'The database cannot answer right now.'),
  },
}
