import { recordedAt } from '../../web/docs/openapi/announcing.ts'
import type { ApiDescription } from '../../web/docs/openapi/description.ts'
import { about, commonRefusals, crowded, inPath } from '../../web/docs/openapi/parts.ts'
import { holding, text } from '../../web/docs/openapi/schemas.ts'
import { intakeKinds, maxCallBytes, maxWaiting } from './rules.ts'

/** `perMinute` is the announcements accepted from a user in a minute; 0 means no limit. */
export const intakesDescription = (perMinute: number): ApiDescription => ({
  operations: {
    'POST /api/in/{kind}/{id}': {
      ...about(
        'Announce',
        'callIntake',
        'Receive a call from a webhook of GitHub, GitLab, Forgejo or Gitea, or from Flux',
      ),
      security: [],
      description:
        'Announces successful deployments and published releases. GitHub signs the body in X-Hub-Signature-256, and ' +
        'Forgejo and Gitea in X-Forgejo-Signature or X-Gitea-Signature, Flux in X-Signature; GitLab sends the secret as ' +
        'X-Gitlab-Token. ' +
        `Beyond the rate of the user, up to ${maxWaiting} calls wait until there is room.`,
      parameters: [
        inPath('kind', 'What calls the intake', { ...text, enum: Object.keys(intakeKinds) }),
        inPath('id', 'The id of the intake', text),
      ],
      requestBody: {
        required: true,
        description: `The payload of the forge, or the event of Flux: at most ${maxCallBytes} bytes.`,
        content: {
          'application/json': { schema: { type: 'object' } },
          'application/x-www-form-urlencoded': {
            schema: holding({ payload: { ...text, description: 'The JSON' } }),
          },
        },
      },
      responses: {
        201: {
          ...recordedAt(perMinute),
          description: 'Announced; also the answer to another delivery of it',
        },
        202: { description: 'It waits, it was announced before, or it announces nothing.' },
        204: { description: 'A ping' },
        ...commonRefusals({
          bad_request: 'The payload is not valid JSON.',
          unauthorized: 'The call is not signed with the secret.',
          not_found: 'There is no such intake of this forge.',
          payload_too_large: null,
          unsupported_media_type: 'The body is neither JSON nor a form with JSON.',
          rate_limited: `${maxWaiting} calls of the intake wait already. Or: ${crowded}`,
          unavailable: 'The database cannot answer right now. Repeating the call announces nothing twice.',
        }),
      },
    },
  },
})
