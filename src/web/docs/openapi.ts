import { maxBodyBytes } from '../../http/body.ts'
import { schemas } from './openapi-schemas.ts'

const text = { type: 'string' } as const
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const jsonOf = (name: string) => ({ 'application/json': { schema: reference(name) } })
const answer = (description: string, name: string) => ({ description, content: jsonOf(name) })
const retry = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } }

/** The API in the OpenAPI format, for programs. */
export function openApi(baseUrl: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipfeed',
      version: '1',
      description: 'Announce deployments; show how fresh the last one is.',
    },
    servers: [{ url: baseUrl }],
    paths: { '/api': { post: announce }, '/badge/{file}': { get: badge } },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Generated in the settings' },
      },
      schemas,
    },
  }
}

const body = { schema: reference('Announcement') }

const announce = {
  operationId: 'announce',
  summary: 'Announce a deployment',
  security: [{ token: [] }],
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description: '1 to 255 visible ASCII characters. A retry with the same key makes no second deployment.',
      schema: { ...text, minLength: 1 },
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
    201: {
      ...answer('Recorded; also the answer to a retry of what was recorded', 'Deployment'),
      headers: {
        Location: { description: 'The permanent page', schema: text },
        'Idempotent-Replayed': { description: '"true" on a retry', schema: text },
        RateLimit: { schema: text },
        'RateLimit-Policy': { schema: text },
      },
    },
    400: answer('The body cannot be read', 'Error'),
    401: answer('No token, or one that is not valid', 'Unauthorized'),
    405: answer('Another method than POST', 'Error'),
    413: answer('The body is too large', 'Error'),
    415: answer('The media type is none of these', 'Error'),
    422: {
      description: 'A field is not valid, or the Idempotency-Key belongs to another announcement',
      content: {
        'application/json': { schema: { oneOf: [reference('ValidationError'), reference('Error')] } },
      },
    },
    429: { ...answer('Too many in the last minute', 'Error'), headers: retry },
    500: answer('A fault of the service', 'Error'),
    503: { ...answer('The database cannot be reached', 'Error'), headers: retry },
  },
}

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
      description: 'The badge; of an unknown user the image says "unknown"',
      content: { 'image/svg+xml': { schema: text }, ...jsonOf('Endpoint') },
    },
    404: answer('No such user (JSON only), or no address of a badge', 'Error'),
    503: { description: 'The database cannot be reached; the image says "unavailable"', headers: retry },
  },
}
