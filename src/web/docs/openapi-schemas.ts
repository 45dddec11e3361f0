import { maxMessageBytes, maxUrlCharacters } from '../../domain/announcement.ts'
import { categories } from '../../domain/category.ts'

const text = { type: 'string' } as const

const category = { ...text, enum: Object.keys(categories) }

/** What the API takes and gives, by the names that openapi.ts refers to. */
export const schemas = {
  Announcement: {
    type: 'object',
    required: ['message'],
    properties: {
      message: {
        ...text,
        description: `Not blank; at most ${maxMessageBytes} bytes of UTF-8; may span lines and hold emoji`,
      },
      url: {
        ...text,
        format: 'uri',
        maxLength: maxUrlCharacters,
        description: 'http or https, without user information',
      },
      category: { ...category, description: 'Read from the first line of the message where it is omitted' },
    },
  },
  Deployment: {
    type: 'object',
    required: ['id', 'message', 'url', 'category', 'deployed_at', 'user', 'status'],
    properties: {
      id: { type: 'integer' },
      message: text,
      url: { type: ['string', 'null'] },
      category: { oneOf: [category, { type: 'null' }] },
      deployed_at: { ...text, format: 'date-time' },
      user: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer' }, name: text },
      },
      status: { const: 'success' },
    },
  },
  Unauthorized: { type: 'object', required: ['error'], properties: { error: { const: 'Unauthorized' } } },
  ValidationError: {
    type: 'object',
    required: ['error', 'message', 'details'],
    properties: {
      error: { const: 'validation_error' },
      message: text,
      details: { type: 'object', additionalProperties: { type: 'array', items: text } },
    },
  },
  Error: { type: 'object', required: ['error', 'message'], properties: { error: text, message: text } },
  Endpoint: {
    type: 'object',
    required: ['schemaVersion', 'label', 'message', 'color', 'isError'],
    properties: {
      schemaVersion: { const: 1 },
      label: text,
      message: text,
      color: text,
      isError: { type: 'boolean' },
    },
  },
}
