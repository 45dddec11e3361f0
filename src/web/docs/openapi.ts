import { maxBodyBytes, maxMessageBytes } from '../../domain/announcement.ts'
import { announceProblems, type ProblemCode, problemHeaders, problems } from '../../domain/problem.ts'
import { schemas } from './openapi-schemas.ts'

const text = { type: 'string' } as const
const integer = { type: 'integer' } as const
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The API in the OpenAPI format, given the announcements allowed a minute (0: any number). */
export function openApi(baseUrl: string, perMinute: number) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipfeed',
      version: '1',
      description: 'Announce deployments; show how fresh the last one is.',
    },
    servers: [{ url: baseUrl }],
    paths: { '/api': { post: announce(perMinute) }, '/badge/{file}': { get: badge } },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Generated in the settings' },
      },
      schemas: schemas(perMinute),
    },
  }
}

function announce(perMinute: number) {
  const body = { schema: reference('Announcement') }
  const codes = announceProblems(perMinute)
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
    ],
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
      201: recorded(perMinute),
      ...Object.fromEntries(statuses.map((status) => [status, problemAnswer(problemsOf(status))])),
    },
  }
}

function recorded(perMinute: number) {
  return {
    description: 'Recorded; also the answer to a retry of what was recorded',
    content: { 'application/json': { schema: reference('Deployment') } },
    headers: {
      Location: { description: 'The permanent page', required: true, schema: { ...text, format: 'uri' } },
      'Idempotent-Replayed': { description: 'On a retry', schema: { const: 'true' } },
      ...(perMinute === 0 ? {} : headersOf(['RateLimit', 'RateLimit-Policy'])),
    },
  }
}

/** The answer to problems that share a status. */
function problemAnswer(codes: readonly ProblemCode[], more: object = {}) {
  const references = codes.map(reference)
  return {
    description: codes.map((code) => problems[code].when).join(' Or: '),
    content: {
      'application/json': { schema: references.length === 1 ? references[0] : { oneOf: references } },
      ...more,
    },
    headers: headersOf(codes.flatMap((code) => problems[code].headers ?? [])),
  }
}

function headersOf(names: readonly (keyof typeof problemHeaders)[]) {
  return Object.fromEntries(
    names.map((name) => {
      const schema = name === 'Retry-After' ? integer : text
      return [name, { description: problemHeaders[name], required: true, schema }]
    }),
  )
}

const image = { 'image/svg+xml': { schema: text } }

const badge = {
  operationId: 'badge',
  summary: 'How fresh the last deployment of a user is, as an image or as JSON; never cached',
  parameters: [
    {
      name: 'file',
      in: 'path',
      required: true,
      description: '<username>.svg or <username>.json',
      schema: text,
    },
    {
      name: 'style',
      in: 'query',
      description: 'Standard where omitted',
      schema: { ...text, enum: ['square', 'dot'] },
    },
    {
      name: 'url',
      in: 'query',
      description: 'Only deployments whose link points at this host, or host and path',
      schema: text,
    },
  ],
  responses: {
    200: {
      description:
        'The badge; of an unknown user the image says "unknown", and "unavailable" while the database cannot answer',
      headers: {
        'X-Shipfeed-Status': {
          description: 'While the database cannot answer, of an image',
          schema: { const: 'unavailable' },
        },
      },
      content: { ...image, 'application/json': { schema: reference('Endpoint') } },
    },
    404: problemAnswer(['not_found'], image),
    500: problemAnswer(['internal_error'], image),
    503: problemAnswer(['unavailable']),
  },
}
