import { maxBodyBytes, maxMessageBytes } from '../../../domain/announcement.ts'
import { announceProblems, problems } from '../../../domain/problem.ts'
import { recorded } from '../../../views/docs/answer-examples.ts'
import { headersOf, problemAnswer } from './answers.ts'
import { reference, text } from './schemas.ts'

/** POST /api, given the announcements allowed a minute (0: any number). */
export function announce(perMinute: number) {
  const body = { schema: reference('Announcement') }
  const codes = announceProblems(perMinute).filter((code) => code !== 'method_not_allowed')
  const statuses = [...new Set(codes.map((code) => problems[code].status))]
  const problemsOf = (status: number) => codes.filter((code) => problems[code].status === status)
  return {
    operationId: 'announce',
    summary: 'Announce a deployment',
    description: `A message is at most ${maxMessageBytes} bytes of UTF-8.`,
    security: [{ token: [] }],
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'Visible ASCII characters. A retry with the same key makes no second deployment.',
        schema: { ...text, minLength: 1, maxLength: 255 },
      },
      {
        name: 'ce-specversion',
        in: 'header',
        description: 'Says that the JSON is a CDEvent, in the binary mode of CloudEvents',
        schema: { const: '1.0' },
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
      201: created(perMinute),
      ...Object.fromEntries(statuses.map((status) => [status, problemAnswer(problemsOf(status))])),
    },
  }
}

function created(perMinute: number) {
  return {
    description: 'Recorded; also the answer to a retry of what was recorded',
    content: { 'application/json': { schema: reference('Deployment'), example: recorded.body } },
    headers: {
      Location: { description: 'The permanent page', required: true, schema: { ...text, format: 'uri' } },
      'Idempotent-Replayed': { description: 'On a retry', schema: { const: 'true' } },
      ...(perMinute === 0 ? {} : headersOf(['RateLimit', 'RateLimit-Policy'])),
    },
  }
}
