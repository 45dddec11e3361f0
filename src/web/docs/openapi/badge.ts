import { badgeShows, longestLabel, usualLabel } from '../../../badge/choice.ts'
import { environmentPattern } from '../../../domain/release.ts'
import { problemAnswer } from './answers.ts'
import { reference, text } from './schemas.ts'

const image = { 'image/svg+xml': { schema: text } }

/** GET /badge/{file} */
export const badge = {
  operationId: 'badge',
  summary:
    'How fresh the last deployment of a user is, as an image or as JSON; no browser and no image proxy may keep it',
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
      name: 'show',
      in: 'query',
      description:
        'What the right word says: the state by its name where omitted, or the age of the deployment',
      schema: { ...text, enum: [...badgeShows] },
    },
    {
      name: 'label',
      in: 'query',
      description: `The left word: 1 to ${longestLabel} letters, digits, spaces and . _ / -; "${usualLabel}" where omitted`,
      schema: text,
    },
    {
      name: 'env',
      in: 'query',
      description: 'Only deployments to this environment',
      schema: { ...text, pattern: environmentPattern },
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
        'CDN-Cache-Control': {
          description: 'With BADGE_CDN=on: for how long the CDN of this service may keep it',
          schema: { ...text, pattern: '^max-age=\\d+, must-revalidate$' },
        },
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
