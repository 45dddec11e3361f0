import { publisherTokenMinutes } from '../../../domain/account/token.ts'
import { maxBodyBytes } from '../../../http/body.ts'
import { about, formsOf, jsonOf, type Operations, usualRefusals } from './parts.ts'

const takesNoTokens = 'This server takes no identity tokens.'

/** The operations on tokens for pipelines. */
export const tokenOperations: Operations = {
  'GET /api/token': {
    ...about('Announce', 'getToken', 'What the token may do, without using it'),
    description: 'For a pipeline that tests its token. The answer contains no secret.',
    responses: {
      200: {
        description: 'The name of the token, its rights and bounds, and its end',
        content: jsonOf('TokenFacts'),
      },
      ...usualRefusals({ unauthorized: null }),
    },
  },
  'POST /api/oidc': {
    ...about(
      'Announce',
      'exchangeToken',
      `Exchange the identity token of a job for a token that announces for ${publisherTokenMinutes} minutes`,
    ),
    security: [],
    description:
      'The user must list the pipeline among their trusted publishers. Each identity token works once.',
    requestBody: {
      required: true,
      description: `At most ${maxBodyBytes} bytes.`,
      content: { ...jsonOf('IdentityToken'), ...formsOf('IdentityToken') },
    },
    responses: {
      201: {
        description: 'A token for POST /api',
        content: jsonOf('Token', {
          token: 'ship_9aBcXeY3kQzB9aBcXeY3kQzB9aBcXeY3kQzB',
          expires_at: '2026-03-12T14:18:22Z',
        }),
      },
      ...usualRefusals({
        bad_request: null,
        unauthorized: 'The token was not signed by a listed issuer.',
        forbidden:
          'The token has another audience, is expired or not yet valid, or matches no publisher. The message names the claim.',
        not_found: takesNoTokens,
        payload_too_large: null,
        unsupported_media_type: null,
        validation_error: 'A field is missing, or the token was used before.',
        rate_limited:
          'Too many tokens from this address were refused, or it has too many requests in progress.',
        unavailable: 'The database cannot answer right now, or the keys of the issuer cannot be fetched.',
      }),
    },
  },
  'DELETE /api/oidc': {
    ...about('Announce', 'endToken', 'End a token of POST /api/oidc before it expires'),
    description: `For a job that has announced. Otherwise the token expires after ${publisherTokenMinutes} minutes.`,
    responses: {
      204: { description: 'The token has ended.' },
      ...usualRefusals({
        unauthorized: 'This is not a token of a publisher, or it has ended.',
        not_found: takesNoTokens,
      }),
    },
  },
}
