import { badgeShows, labelPattern, longestLabel } from '../../../badge/badge.ts'
import { badgeStyles } from '../../../badge/styles.ts'
import { usualLabel } from '../../../badge/words-and-colours.ts'
import { yearThemes } from '../../../views/profile/year-image.tsx'
import { crowded, inPath, jsonOf, query, refusalAnswers, target, whose } from './parts.ts'
import { environment, text } from './schemas.ts'

const aboutBadge = {
  tags: ['Badges'],
  description:
    'Browsers and image proxies must not cache it. An invalid style, show or label is ignored, and an invalid env or url ' +
    'matches nothing, so that an image in a README never breaks.',
  security: [],
  parameters: [
    whose,
    query('style', 'The shape; standard by default', { ...text, enum: [...badgeStyles] }),
    query(
      'show',
      'What the right side shows: the state (default), the age or the version of the deployment',
      { ...text, enum: [...badgeShows] },
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

/** The same answers as images. */
export function drawn(answers: Readonly<Record<number, object>>) {
  const entries = Object.entries(answers)
  return Object.fromEntries(entries.map(([status, answer]) => [status, { ...answer, content: image }]))
}

const outageHeader = {
  'X-Shipfeed-Status': {
    description: 'While the database cannot answer',
    schema: { const: 'unavailable' },
  },
}

/** GET /badge/{username}.svg */
export const badgeImage = {
  ...aboutBadge,
  operationId: 'getBadgeImage',
  summary: 'How fresh the latest deployment of a user is, as an image',
  responses: {
    200: {
      description:
        'The badge. It says "unknown" for an unknown user, and "unavailable" while the database cannot answer',
      headers: { ...badgeHeaders, ...outageHeader },
      content: image,
    },
    ...drawn(refusalAnswers({ not_found: 'This is not a valid username.' })),
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
      content: jsonOf('Endpoint'),
    },
    ...refusalAnswers({ not_found: 'There is no such user.', unavailable: null }),
  },
}

const aboutYear = {
  tags: ['Badges'],
  description:
    'The deployments on each of the last 365 days, in UTC. As fresh as a badge: browsers and image proxies may not keep ' +
    'it. An invalid theme is ignored, so that an image in a README never breaks.',
  security: [],
  responses: {
    200: {
      description:
        'The year. It says "unknown" for an unknown user, and "unavailable" while the database cannot answer',
      headers: outageHeader,
      content: image,
    },
    ...drawn(refusalAnswers({ not_found: 'This is not a valid username or target.', rate_limited: crowded })),
  },
}

const theme = query('theme', "The colours; by default those of the reader's system", {
  ...text,
  enum: [...yearThemes],
})

/** GET /{username}/year.svg */
export const yearOfUser = {
  ...aboutYear,
  operationId: 'getYearOfUser',
  summary: 'The deployments of a user in the last year, as an image',
  parameters: [whose, theme],
}

/** GET /{username}/{target}/year.svg */
export const yearOfTarget = {
  ...aboutYear,
  operationId: 'getYearOfTarget',
  summary: 'The same for a host or a project of a user',
  parameters: [
    whose,
    inPath('target', 'A host, or a host and path; its slashes may be escaped', target),
    theme,
  ],
}
