import { keyPattern } from '../../../domain/announcement/idempotency-key.ts'
import { withdrawableHours } from '../../../domain/deployment.ts'
import { intakeKinds, maxCallBytes, mostWaiting } from '../../../domain/intake/intake.ts'
import { announceProblems, type ProblemCode, problems } from '../../../domain/problems.ts'
import { textBounds } from '../../../domain/text-bounds.ts'
import { mostHops } from '../../../domain/webhook/hops.ts'
import { maxBodyBytes } from '../../../http/body.ts'
import { recorded } from '../../../views/docs/answers.tsx'
import {
  about,
  crowded,
  deploymentId,
  formsOf,
  headersOf,
  inHeader,
  inPath,
  jsonOf,
  type Operations,
  problemAnswer,
  usualRefusals,
} from './parts.ts'
import { holding, reference, text, uri } from './schemas.ts'

/** The operations for pipelines. `perMinute` is the announcements accepted from a user in a minute; 0 means no limit. */
export function announcingOperations(perMinute: number): Operations {
  const codes = announceProblems(perMinute)
  const rateHeaders = perMinute === 0 ? {} : headersOf(['RateLimit', 'RateLimit-Policy'])
  const created = {
    description: 'Recorded; also the answer to a retry of a recorded announcement',
    content: jsonOf('Deployment', recorded.body),
    headers: { ...createdHeaders, ...rateHeaders },
  }
  return {
    'POST /api': {
      ...about('Announce', 'announceDeployment', 'Announce a deployment'),
      description: `A message is at most ${textBounds.message} bytes of UTF-8.`,
      ...call(codes, { 201: created }),
    },
    'POST /api/check': {
      ...about('Announce', 'checkAnnouncement', 'Check an announcement without recording it'),
      description:
        'Answers as POST /api does, but records nothing and does not count towards the rate limit. Only the form of an Idempotency-Key is checked.',
      ...call(
        codes.filter((code) => code !== 'idempotency_key_reused'),
        {
          200: {
            description: 'The record as it would be, without an id',
            // Without an example, because Spectral breaks on null in one.
            content: jsonOf('CheckedDeployment'),
            headers: rateHeaders,
          },
        },
      ),
    },
    'DELETE /api/deployments/{id}': {
      ...about('Announce', 'withdrawDeployment', 'Withdraw a deployment'),
      description: `By a token of the user who announced it, within ${withdrawableHours} hours.`,
      parameters: [deploymentId],
      responses: {
        204: { description: 'The deployment is withdrawn.' },
        ...usualRefusals({
          unauthorized: null,
          forbidden:
            'Another user announced it, it is too old, or the token may not withdraw it. The message says which.',
          not_found: 'There is no such deployment, or it was withdrawn.',
        }),
      },
    },
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
        `Beyond the rate of the user, up to ${mostWaiting} calls wait until there is room.`,
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
        201: { ...created, description: 'Announced; also the answer to another delivery of it' },
        202: { description: 'It waits, it was announced before, or it announces nothing.' },
        204: { description: 'A ping' },
        ...usualRefusals({
          bad_request: 'The payload is not valid JSON.',
          unauthorized: 'The call is not signed with the secret.',
          not_found: 'There is no such intake of this forge.',
          payload_too_large: null,
          unsupported_media_type: 'The body is neither JSON nor a form with JSON.',
          rate_limited: `${mostWaiting} calls of the intake wait already. Or: ${crowded}`,
          unavailable: 'The database cannot answer right now. Repeating the call announces nothing twice.',
        }),
      },
    },
  }
}

const createdHeaders = {
  Location: { description: 'The permanent page of the deployment', required: true, schema: uri },
  'Shipfeed-Token-Expires': {
    description:
      'If the token has a last day: when it ends, and the whole days until then, as `"2026-12-01T00:00:00Z";days=9`',
    schema: { ...text, pattern: '^"[0-9TZ:-]{20}";days=[0-9]+$' },
  },
  'Idempotent-Replayed': { description: 'On a retry', schema: { const: 'true' } },
}

/** A call with an announcement as its body, with the problems that it may meet and its other answers. */
function call(codes: readonly ProblemCode[], answers: Readonly<Record<number, object>>) {
  const byStatus = Object.groupBy(codes, (code) => problems[code].status)
  return {
    parameters: [
      inHeader(
        'Idempotency-Key',
        `1 to ${textBounds.key} visible ASCII characters, quoted or bare. A retry with the same key makes no second deployment.`,
        { ...text, pattern: keyPattern },
      ),
      inHeader(
        'Shipfeed-Hop',
        `How many webhooks of Shipfeed the announcement has passed through; relays must pass it on. At most ${mostHops - 1}.`,
        { type: 'integer', minimum: 0, maximum: mostHops - 1 },
      ),
      {
        ...inHeader(
          'ce-specversion',
          'Says that the JSON is a CDEvent in the binary mode of CloudEvents',
          text,
        ),
        example: '1.0',
      },
    ],
    requestBody: {
      required: true,
      description: `At most ${maxBodyBytes} bytes.`,
      content: {
        'application/json': { schema: { anyOf: [reference('Announcement'), reference('Event')] } },
        'application/cloudevents+json': { schema: reference('CloudEvent') },
        ...formsOf('Announcement'),
      },
    },
    responses: {
      ...answers,
      202: { description: 'A valid event of another kind; nothing is announced' },
      ...Object.fromEntries(
        Object.entries(byStatus).map(([status, codes = []]) => [status, problemAnswer(codes)]),
      ),
    },
  }
}
