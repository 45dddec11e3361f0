import { badgeShows, labelForm, longestLabel } from '../../../badge/badge.ts'
import { defaultLabel } from '../../../badge/status.ts'
import { badgeStyles } from '../../../badge/styles.ts'
import { yearThemes } from '../../../views/profile/year-image.tsx'
import {
  about,
  crowded,
  inPath,
  jsonOf,
  type Operations,
  query,
  refusalAnswers,
  target,
  whose,
} from './parts.ts'
import { environment, text } from './schemas.ts'

const image = { 'image/svg+xml': { schema: text } }

/** The same answers as images. */
export function drawn(answers: Readonly<Record<number, object>>) {
  const entries = Object.entries(answers)
  return Object.fromEntries(entries.map(([status, answer]) => [status, { ...answer, content: image }]))
}

const description =
  'Browsers and image proxies must not cache it. An invalid style, show, pre or label is ignored, and an invalid env or ' +
  'url matches nothing, so that an image in a README never breaks.'

const options = [
  query('style', 'The shape; standard by default', { ...text, enum: badgeStyles }),
  query(
    'show',
    'What the right side shows: the state (default), the age or the version of the deployment, or what is live in ' +
      'up to four environments of a project, which then has to be given',
    {
      ...text,
      enum: badgeShows,
    },
  ),
  query('pre', 'Whether a version may be a prerelease, such as v2.0.0-rc.1', { ...text, enum: ['1'] }),
  query('label', `The text of the left side; "${defaultLabel}" by default`, {
    ...text,
    minLength: 1,
    maxLength: longestLabel,
    pattern: labelForm.source,
  }),
  query('env', 'Only deployments to this environment', environment),
]

const filter = query('url', 'Only deployments whose link points at this host, or host and path', target)

const ofUser = { description, parameters: [whose, ...options, filter] }

const inPathOfImage = inPath('target', 'A host, or a host and path; its slashes may be escaped', target)

const ofProject = { description, parameters: [whose, inPathOfImage, ...options] }

const contradiction =
  'The parameters contradict each other: show=environments is for one project, without env.'
const twice =
  'The parameters contradict each other: show=environments is for all environments, and url is in the path.'

const badgeHeaders = {
  'CDN-Cache-Control': {
    description: 'With BADGE_CDN=on: how long the CDN of this service may keep it',
    schema: { ...text, pattern: '^max-age=\\d+, must-revalidate$' },
  },
}

const outageHeader = {
  'X-Shipfeed-Status': {
    description: 'While the database cannot answer',
    schema: { const: 'unavailable' },
  },
}

/** An image of a user, which says so if there is no such user or no answer of the database. */
const imageOf = (what: string, headers: object) => ({
  description: `The ${what}. It says "unknown" for an unknown user, and "unavailable" while the database cannot answer`,
  headers,
  content: image,
})

const aboutYear = {
  description:
    'The deployments on each of the last 365 days, in UTC. As fresh as a badge: browsers and image proxies may not keep ' +
    'it. An invalid theme is ignored, so that an image in a README never breaks.',
  responses: {
    200: imageOf('year', outageHeader),
    ...drawn(refusalAnswers({ not_found: 'This is not a valid username or target.', rate_limited: crowded })),
  },
}

const theme = query('theme', "The colours; by default those of the reader's system", {
  ...text,
  enum: yearThemes,
})

function badgeImages(refusals: Parameters<typeof refusalAnswers>[0]) {
  return {
    200: imageOf('badge', { ...badgeHeaders, ...outageHeader }),
    ...drawn(refusalAnswers(refusals)),
  }
}

function badgeData(badRequest: string) {
  return {
    200: { description: 'What the badge says', headers: badgeHeaders, content: jsonOf('Endpoint') },
    ...refusalAnswers({ bad_request: badRequest, not_found: 'There is no such user.', unavailable: null }),
  }
}

export const badgeOperations: Operations = {
  'GET /badge/{username}.svg': {
    ...about('Badges', 'getBadgeImage', 'How fresh the latest deployment of a user is, as an image'),
    ...ofUser,
    responses: badgeImages({ bad_request: contradiction, not_found: 'This is not a valid username.' }),
  },
  'GET /badge/{username}.json': {
    ...about('Badges', 'getBadgeData', "The same as JSON, in the schema of shields' endpoint badge"),
    ...ofUser,
    responses: badgeData(contradiction),
  },
  'GET /badge/{username}/{target}.svg': {
    ...about('Badges', 'getBadgeImageOfTarget', 'The same for a host or a project of a user'),
    ...ofProject,
    responses: badgeImages({ bad_request: twice, not_found: 'This is not a valid username or target.' }),
  },
  'GET /badge/{username}/{target}.json': {
    ...about('Badges', 'getBadgeDataOfTarget', 'The same for a host or a project of a user, as JSON'),
    ...ofProject,
    responses: badgeData(twice),
  },
  'GET /{username}/year.svg': {
    ...about('Badges', 'getYearOfUser', 'The deployments of a user in the last year, as an image'),
    ...aboutYear,
    parameters: [whose, theme],
  },
  'GET /{username}/{target}/year.svg': {
    ...about('Badges', 'getYearOfTarget', 'The same for a host or a project of a user'),
    ...aboutYear,
    parameters: [whose, inPathOfImage, theme],
  },
}
