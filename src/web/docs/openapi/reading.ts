import { entriesOfFeed, pageLimits } from '../../../domain/feed/feed.ts'
import { maxWords } from '../../../domain/search/question.ts'
import { textBounds } from '../../../domain/text-bounds.ts'
import { recorded } from '../../../views/docs/answers.tsx'
import {
  about,
  deploymentId,
  inHeader,
  jsonOf,
  type Operations,
  query,
  target,
  usualRefusals,
  whose,
} from './parts.ts'
import {
  category,
  environment,
  idOfDeployment,
  idSchema,
  integer,
  reference,
  text,
  time,
  username,
} from './schemas.ts'

const search = query(
  'q',
  `Only deployments that match the whole search: at most ${maxWords} words, "a phrase", a @user, a host or project, env: and category:. -word excludes a word. Cannot be combined with user, target or env. A page may be incomplete and still have an older page`,
  { ...text, maxLength: textBounds.question },
)
const ofCategory = query('category', 'Only this category', category)
const ofTarget = query(
  'target',
  'Only deployments whose link points at this host, or host and path; only together with user',
  target,
)
const ofEnvironment = query('env', 'Only this environment; not together with category', environment)

const filters = [
  search,
  query('user', 'Only deployments of this user', username),
  ofCategory,
  ofTarget,
  ofEnvironment,
]

const beforeId = query('before', 'Only deployments before this id', idOfDeployment)
const ifNoneMatch = inHeader('If-None-Match', 'The ETag of the last answer', text)
const etag = { ETag: { description: 'Identifies the content', required: true, schema: text } }
const position = { ...idSchema, minimum: 0 }

const wrongQuestion = {
  bad_request: 'A parameter is wrong. The message says which.',
  not_found: 'There is no such user.',
}

const feedForReaders = (content: object) => ({
  description: 'The newest deployments. A client that sends its ETag gets a 304 until something changes.',
  responses: {
    200: {
      description: `At most ${entriesOfFeed} deployments and a link to the older ones`,
      content,
      headers: etag,
    },
    304: { description: 'The content has not changed', headers: etag },
    ...usualRefusals(wrongQuestion),
  },
})

// Browsers that open a feed as a page get the second type, which they show.
const atom = feedForReaders({ 'application/atom+xml': { schema: text }, 'text/xml': { schema: text } })
const jsonFeed = feedForReaders({
  'application/feed+json': { schema: reference('JsonFeed') },
  'application/json': { schema: reference('JsonFeed') },
})
const ofFeed = [search, ofCategory, ofEnvironment, beforeId, ifNoneMatch]
const ofFeedOfUser = [whose, ofCategory, ofTarget, ofEnvironment, beforeId, ifNoneMatch]

const live = {
  target: 'github.com/ada/engine',
  environment: 'production',
  version: 'v2.4.0',
  commit: 'a89852ac0b1d',
  url: 'https://github.com/ada/engine/releases/tag/v2.4.0',
  deployed_at: '2026-11-21T23:26:35Z',
  id: 412,
  page: recorded.body.page,
}

/** The operations that read the feed. */
export const readingOperations: Operations = {
  'GET /api/deployments': {
    ...about('Read', 'listDeployments', 'The deployments on the feed, newest first'),
    description: 'A client that follows "older" sees each deployment once, even while others are announced.',
    parameters: [
      ...filters,
      query('from', 'Only what was deployed at this time or later; not together with q', time),
      query('to', 'Only what was deployed before this time; not together with q', time),
      beforeId,
      query('limit', 'The largest number of deployments on the page', {
        ...integer,
        minimum: 1,
        maximum: pageLimits.max,
        default: pageLimits.default,
      }),
    ],
    responses: {
      200: {
        description: 'A page of deployments',
        content: jsonOf('DeploymentList', {
          deployments: [recorded.body],
          older: 'https://shipfeed.example/api/deployments?user=ada&before=412',
        }),
        headers: {
          Link: { description: 'The older page, with rel="next"; absent on the last page', schema: text },
        },
      },
      ...usualRefusals(wrongQuestion),
    },
  },
  'GET /api/current': {
    ...about(
      'Read',
      'getCurrent',
      'The deployments that are live: the newest of each target and environment of a user',
    ),
    description:
      'The newest first. Deployments without a link or without an environment are left out. A client that sends its ' +
      'ETag gets a 304 until something changes.',
    parameters: [
      { ...query('user', 'Whose deployments', username), required: true, allowEmptyValue: false },
      query('target', 'Only this host, or host and path', target),
      query('env', 'Only this environment', environment),
      ifNoneMatch,
    ],
    responses: {
      200: { description: 'What is live', headers: etag, content: jsonOf('Current', { current: [live] }) },
      304: { description: 'Nothing has changed', headers: etag },
      ...usualRefusals(wrongQuestion),
    },
  },
  'GET /api/deployments/live': {
    ...about('Read', 'followDeployments', 'The same as server-sent events, from any event on'),
    description:
      'Events are "deployment" (its data is a Deployment), "withdrawn" (a Withdrawal) and "account_deleted" ' +
      '(an AccountDeletion: all deployments of that user are gone). Their ids grow. An EventSource that reconnects ' +
      'sends Last-Event-ID and gets everything since then. The other events have no data: "opening" has the id that ' +
      'the stream starts after, "heartbeat" says that the stream is alive, "interrupted" that the database cannot ' +
      'be read, and "resumed" that it can be read again.',
    parameters: [
      ...filters,
      query(
        'after',
        'Starts with everything after the event with this id; 0 means from the beginning',
        position,
      ),
      inHeader(
        'Last-Event-ID',
        'The same, sent by a client that reconnects; takes precedence over "after"',
        position,
      ),
    ],
    responses: {
      200: {
        description: 'A stream, which ends after about half an hour; reconnect then',
        content: {
          'text/event-stream': {
            schema: { oneOf: ['Deployment', 'Withdrawal', 'AccountDeletion'].map(reference) },
            example: recorded.body,
          },
        },
      },
      ...usualRefusals({
        ...wrongQuestion,
        rate_limited: 'This address has too many streams open.',
        unavailable: 'The database cannot answer right now, or too many streams are open.',
      }),
    },
  },
  'GET /api/deployments/{id}': {
    ...about('Read', 'getDeployment', 'One deployment'),
    description: 'The same record as in the list.',
    parameters: [deploymentId],
    responses: {
      200: { description: 'The deployment', content: jsonOf('Deployment', recorded.body) },
      ...usualRefusals({ not_found: 'There is no such deployment, or it was withdrawn.' }),
    },
  },
  'GET /feed.atom': {
    ...about('Feeds', 'getAtomFeed', 'The feed for feed readers, as Atom'),
    ...atom,
    parameters: ofFeed,
  },
  'GET /feed.json': {
    ...about('Feeds', 'getJsonFeed', 'The feed for feed readers, as JSON Feed 1.1'),
    ...jsonFeed,
    parameters: ofFeed,
  },
  'GET /{username}/feed.atom': {
    ...about('Feeds', 'getAtomFeedOfUser', 'The deployments of one user for feed readers, as Atom'),
    ...atom,
    parameters: ofFeedOfUser,
  },
  'GET /{username}/feed.json': {
    ...about('Feeds', 'getJsonFeedOfUser', 'The deployments of one user for feed readers, as JSON Feed 1.1'),
    ...jsonFeed,
    parameters: ofFeedOfUser,
  },
}
