import { badgeShows, badgeStyles, labelPattern, longestLabel } from '../../../badge/badge.ts'
import { usualLabel } from '../../../badge/status.ts'
import { otherMethod, problemAnswer, query, target, whose } from './parts.ts'
import { environment, reference, text } from './schemas.ts'

const aboutBadge = {
  tags: ['Badges'],
  description:
    'Browsers and image proxies may not keep it. An invalid style, show or label is ignored, and an invalid env or url ' +
    'matches nothing, so that an image in a README never breaks.',
  security: [],
  parameters: [
    whose,
    query('style', 'The shape; standard by default', { ...text, enum: [...badgeStyles] }),
    query(
      'show',
      'What the right side shows: the state (default), the age or the version of the deployment',
      {
        ...text,
        enum: [...badgeShows],
      },
    ),
    query('label', `The text of the left side; "${usualLabel}" by default`, {
      ...text,
      minLength: 1,
      maxLength: longestLabel,
      pattern: labelPattern,
    }),
    query('env', 'Only deployments to this environment', environment),
    query('url', 'Only deployments whose link points at this host, or host and path', target),
  ],
}

const badgeHeaders = {
  'CDN-Cache-Control': {
    description: 'With BADGE_CDN=on: how long the CDN of this service may keep it',
    schema: { ...text, pattern: '^max-age=\\d+, must-revalidate$' },
  },
}

const image = { 'image/svg+xml': { schema: text } }

/** The same problem as an image. */
const drawn = (answer: object) => ({ ...answer, content: image })

/** GET /badge/{username}.svg */
export const badgeImage = {
  ...aboutBadge,
  operationId: 'getBadgeImage',
  summary: 'How fresh the latest deployment of a user is, as an image',
  responses: {
    200: {
      description:
        'The badge. It says "unknown" for an unknown user, and "unavailable" while the database cannot answer',
      headers: {
        ...badgeHeaders,
        'X-Shipfeed-Status': {
          description: 'While the database cannot answer',
          schema: { const: 'unavailable' },
        },
      },
      content: image,
    },
    404: { ...drawn(problemAnswer(['not_found'])), description: 'This is not the form of a username.' },
    405: drawn(otherMethod),
    500: drawn(problemAnswer(['internal_error'])),
  },
}

/** GET /badge/{username}.json */
export const badgeData = {
  ...aboutBadge,
  operationId: 'getBadgeData',
  summary: "The same as JSON, in the schema of shields' endpoint badge",
  responses: {
    200: {
      description: 'What the badge says',
      headers: badgeHeaders,
      content: { 'application/json': { schema: reference('Endpoint') } },
    },
    404: { ...problemAnswer(['not_found']), description: 'There is no such user.' },
    405: otherMethod,
    500: problemAnswer(['internal_error']),
    503: problemAnswer(['unavailable']),
  },
}
