import { facetNames, facetParameters, facets } from '../../../domain/feed/facets.ts'
import { pageLimits } from '../../../domain/feed/feed.ts'
import { recorded } from '../../../views/docs/answers.tsx'
import {
  about,
  commonRefusals,
  deploymentId,
  inHeader,
  jsonOf,
  type Meanings,
  type Operations,
  query,
  target,
} from './parts.ts'
import {
  facetSchemas,
  idOfDeployment,
  idSchema,
  integer,
  reference,
  text,
  time,
  username,
} from './schemas.ts'

const ofTarget = query(
  'target',
  'Only deployments whose link points at this host, or host and path; only together with user',
  target,
)

export const ofFacets = facetNames.map((facet, n) => {
  const others = facetParameters.slice(0, n).join(' or ')
  const description = `Only this ${facet}${n === 0 ? '' : `; not together with ${others}`}`
  return query(facets[facet].parameter, description, facetSchemas[facet])
})

export const ofFacetsAndTarget = [...ofFacets.slice(0, 1), ofTarget, ...ofFacets.slice(1)]

const filters = [query('user', 'Only deployments of this user', username), ...ofFacetsAndTarget]

export const ofTime = [
  query('from', 'Only what was deployed at this time or later', time),
  query('to', 'Only what was deployed before this time', time),
]
export const beforeId = query('before', 'Only deployments before this id', idOfDeployment)
export const ifNoneMatch = inHeader('If-None-Match', 'The ETag of the last answer', text)
export const etag = { ETag: { description: 'Identifies the content', required: true, schema: text } }
/** The answers of an address whose content has an ETag. */
export const taggedAnswers = (description: string, content: object, meanings: Meanings) => ({
  200: { description, content, headers: etag },
  304: { description: 'The content has not changed', headers: etag },
  ...commonRefusals(meanings),
})

/** Browsers that open a feed as a page get the second type, which they show. */
export const atomContent = { 'application/atom+xml': { schema: text }, 'text/xml': { schema: text } }

const position = { ...idSchema, minimum: 0 }

export const wrongQuestion = {
  bad_request: 'A parameter is wrong. The message says which.',
  not_found: 'There is no such user.',
}

export const readingOperations: Operations = {
  'GET /api/deployments': {
    ...about('Read', 'listDeployments', 'The deployments on the feed, newest first'),
    description: 'A client that follows "older" sees each deployment once, even while others are announced.',
    parameters: [
      ...filters,
      ...ofTime,
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
      ...commonRefusals(wrongQuestion),
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
      ...commonRefusals({
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
      ...commonRefusals({ not_found: 'There is no such deployment, or it was withdrawn.' }),
    },
  },
}
