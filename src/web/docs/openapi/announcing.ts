import { maxHops } from '../../../domain/announcement/hops.ts'
import { keyForm } from '../../../domain/announcement/idempotency-key.ts'
import { withdrawableHours } from '../../../domain/deployment.ts'
import { announceProblems, type ProblemCode, problems } from '../../../domain/problems.ts'
import { textBounds } from '../../../domain/text-bounds.ts'
import { maxBodyBytes } from '../../../http/body.ts'
import { recorded } from '../../../views/docs/answers.tsx'
import {
  about,
  commonRefusals,
  deploymentId,
  formsOf,
  headersOf,
  inHeader,
  jsonOf,
  type Operations,
  problemAnswer,
} from './parts.ts'
import { reference, text, uri } from './schemas.ts'

/** The operations for pipelines. `perMinute` is the announcements accepted from a user in a minute; 0 means no limit. */
export function announcingOperations(perMinute: number): Operations {
  const codes = announceProblems(perMinute)
  return {
    'POST /api': {
      ...about('Announce', 'announceDeployment', 'Announce a deployment'),
      description: `A message is at most ${textBounds.message} bytes of UTF-8.`,
      ...call(codes, { 201: recordedAt(perMinute) }),
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
            headers: rateHeaders(perMinute),
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
        ...commonRefusals({
          unauthorized: null,
          forbidden:
            'Another user announced it, it is too old, or the token may not withdraw it. The message says which.',
          not_found: 'There is no such deployment, or it was withdrawn.',
        }),
      },
    },
    'GET /api/token': {
      ...about('Announce', 'getToken', 'What the token may do, without using it'),
      description: 'For a pipeline that tests its token. The answer contains no secret.',
      responses: {
        200: {
          description: 'The name of the token, its rights and bounds, and its end',
          content: jsonOf('TokenFacts'),
        },
        ...commonRefusals({ unauthorized: null }),
      },
    },
  }
}

const rateHeaders = (perMinute: number) =>
  perMinute === 0 ? {} : headersOf(['RateLimit', 'RateLimit-Policy'])

/** The answer to what was announced, at this rate. */
export function recordedAt(perMinute: number) {
  return {
    description: 'Recorded; also the answer to a retry of a recorded announcement',
    content: jsonOf('Deployment', recorded.body),
    headers: { ...createdHeaders, ...rateHeaders(perMinute) },
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
        { ...text, pattern: keyForm.source },
      ),
      inHeader(
        'Shipfeed-Hop',
        `How many webhooks of Shipfeed the announcement has passed through; relays must pass it on. At most ${maxHops - 1}.`,
        { type: 'integer', minimum: 0, maximum: maxHops - 1 },
      ),
    ],
    requestBody: {
      required: true,
      description: `At most ${maxBodyBytes} bytes.`,
      content: {
        'application/json': { schema: reference('Announcement') },
        ...formsOf('Announcement'),
      },
    },
    responses: {
      ...answers,
      ...Object.fromEntries(
        Object.entries(byStatus).map(([status, codes = []]) => [status, problemAnswer(codes)]),
      ),
    },
  }
}
