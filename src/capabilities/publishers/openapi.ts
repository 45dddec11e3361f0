import { publisherTokenMinutes } from '../../domain/account/token.ts'
import { maxBodyBytes } from '../../http/body.ts'
import type { ApiDescription } from '../../web/docs/openapi/description.ts'
import { about, commonRefusals, formsOf, jsonOf } from '../../web/docs/openapi/parts.ts'
import { filled, holding, objectOf, text, time, username } from '../../web/docs/openapi/schemas.ts'

const takesNoTokens = 'This server takes no identity tokens.'

export const publishersDescription: ApiDescription = {
  operations: {
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
        ...commonRefusals({
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
        ...commonRefusals({
          unauthorized: 'This is not a token of a publisher, or it has ended.',
          not_found: takesNoTokens,
        }),
      },
    },
  },
  schemas: {
    IdentityToken: holding({
      jwt: { ...filled, description: 'The identity token of the job, for the audience of this server' },
      user: { ...username, description: 'The username to announce for' },
    }),
    Token: objectOf({ token: text, expires_at: time }),
  },
}
