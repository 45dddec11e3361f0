import { intakeKinds, maxCallBytes, mostWaiting } from '../../../domain/intake/intake.ts'
import { created } from './announcing.ts'
import { crowded, otherMethod, problemAnswer, tooMany } from './parts.ts'
import { text } from './schemas.ts'

/** POST /api/in/{kind}/{id} */
export function intakeOperation(perMinute: number) {
  return {
    operationId: 'callIntake',
    tags: ['Announce'],
    summary: 'Receive a call from a webhook of GitHub, GitLab, Forgejo or Gitea',
    description:
      'Announces successful deployments and published releases. GitHub signs the body in X-Hub-Signature-256, and ' +
      'Forgejo and Gitea in X-Forgejo-Signature or X-Gitea-Signature; GitLab sends the secret as X-Gitlab-Token. ' +
      `Beyond the rate of the user, up to ${mostWaiting} calls wait until there is room.`,
    security: [],
    parameters: [
      {
        name: 'kind',
        in: 'path',
        required: true,
        description: 'The forge of the intake',
        schema: { ...text, enum: Object.keys(intakeKinds) },
      },
      { name: 'id', in: 'path', required: true, description: 'The id of the intake', schema: text },
    ],
    requestBody: {
      required: true,
      description: `The payload of the forge: at most ${maxCallBytes} bytes.`,
      content: {
        'application/json': { schema: { type: 'object' } },
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['payload'],
            properties: { payload: { ...text, description: 'The JSON' } },
          },
        },
      },
    },
    responses: {
      201: { ...created(perMinute), description: 'Announced; also the answer to another delivery of it' },
      202: { description: 'It waits, it was announced before, or it announces nothing.' },
      204: { description: 'A ping' },
      400: { ...problemAnswer(['bad_request']), description: 'The payload is not valid JSON.' },
      401: { ...problemAnswer(['unauthorized']), description: 'The call is not signed with the secret.' },
      404: { ...problemAnswer(['not_found']), description: 'There is no such intake of this forge.' },
      405: otherMethod,
      413: problemAnswer(['payload_too_large']),
      415: {
        ...problemAnswer(['unsupported_media_type']),
        description: 'The body is neither JSON nor a form with JSON.',
      },
      429: tooMany(`${mostWaiting} calls of the intake wait already. Or: ${crowded}`),
      500: problemAnswer(['internal_error']),
      503: {
        ...problemAnswer(['unavailable']),
        description: 'The database cannot answer right now. Repeating the call announces nothing twice.',
      },
    },
  }
}
