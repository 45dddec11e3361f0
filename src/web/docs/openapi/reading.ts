import { pageLimits } from '../../../domain/feed/page-sizes.ts'
import { recorded } from '../../../views/docs/answers.tsx'
import {
  asked,
  beforeId,
  deploymentId,
  filter,
  noSuchUser,
  ofEachRead,
  otherMethod,
  problemAnswer,
  query,
  search,
  target,
  tooMany,
} from './parts.ts'
import { environment, idSchema, integer, reference, text, username } from './schemas.ts'

export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of the last answer',
  schema: text,
}
export const etag = { ETag: { description: 'Identifies the content', required: true, schema: text } }

/** GET /api/deployments */
export const listOperation = {
  operationId: 'listDeployments',
  tags: ['Read'],
  summary: 'The deployments on the feed, newest first',
  description: 'A client that follows "older" sees each deployment once, even while others are announced.',
  security: [],
  parameters: [
    search,
    ...filter,
    beforeId,
    query('limit', 'The most deployments of the page', {
      ...integer,
      minimum: 1,
      maximum: pageLimits.max,
      default: pageLimits.default,
    }),
  ],
  responses: {
    200: {
      description: 'A page of deployments',
      content: {
        'application/json': {
          schema: reference('DeploymentList'),
          example: {
            deployments: [recorded.body],
            older: 'https://shipfeed.example/api/deployments?user=ada&before=412',
          },
        },
      },
      headers: {
        Link: { description: 'The older page, with rel="next"; absent on the last page', schema: text },
      },
    },
    400: { ...problemAnswer(['bad_request']), ...asked },
    404: { ...problemAnswer(['not_found']), ...noSuchUser },
    ...ofEachRead,
  },
}

/** GET /api/deployments/{id} */
export const oneOperation = {
  operationId: 'getDeployment',
  tags: ['Read'],
  summary: 'One deployment',
  description: 'The same record as in the list.',
  security: [],
  parameters: [deploymentId],
  responses: {
    200: {
      description: 'The deployment',
      content: { 'application/json': { schema: reference('Deployment'), example: recorded.body } },
    },
    404: {
      ...problemAnswer(['not_found']),
      description: 'There is no such deployment, or it was withdrawn.',
    },
    ...ofEachRead,
  },
}

/** GET /api/current */
export const currentOperation = {
  operationId: 'getCurrent',
  tags: ['Read'],
  summary: 'The deployments that are live: the newest of each target and environment of a user',
  description:
    'The newest first. Deployments without a link or without an environment are left out. A client that sends its ' +
    'ETag gets a 304 until something changes.',
  security: [],
  parameters: [
    { ...query('user', 'Whose deployments', username), required: true, allowEmptyValue: false },
    query('target', 'Only this host, or host and path', target),
    query('env', 'Only this environment', environment),
    ifNoneMatch,
  ],
  responses: {
    200: {
      description: 'What is live',
      headers: etag,
      content: {
        'application/json': {
          schema: reference('Current'),
          example: {
            current: [
              {
                target: 'github.com/ada/engine',
                environment: 'production',
                version: 'v2.4.0',
                commit: 'a89852ac0b1d',
                url: 'https://github.com/ada/engine/releases/tag/v2.4.0',
                deployed_at: '2026-11-21T23:26:35Z',
                id: 412,
                page: recorded.body.page,
              },
            ],
          },
        },
      },
    },
    304: { description: 'Nothing has changed', headers: etag },
    400: { ...problemAnswer(['bad_request']), ...asked },
    404: { ...problemAnswer(['not_found']), ...noSuchUser },
    ...ofEachRead,
  },
}

const position = { ...idSchema, minimum: 0 }

/** GET /api/deployments/live */
export const streamOperation = {
  operationId: 'followDeployments',
  tags: ['Read'],
  summary: 'The same as server-sent events, from any event on',
  description:
    'Events are "deployment" (its data is a Deployment), "withdrawn" (a Withdrawal) and "account_deleted" ' +
    '(an AccountDeletion: all deployments of that user are gone). Their ids grow. An EventSource that reconnects ' +
    'sends Last-Event-ID and gets everything since then. The other events have no data: "opening" has the id that ' +
    'the stream starts after, "heartbeat" says that the stream is alive, "interrupted" that the database cannot ' +
    'be read, and "resumed" that it can be read again.',
  security: [],
  parameters: [
    search,
    ...filter,
    query(
      'after',
      'Starts with everything after the event with this id; 0 means from the beginning',
      position,
    ),
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The same, sent by a client that reconnects; takes precedence over "after"',
      schema: position,
    },
  ],
  responses: {
    200: {
      description: 'A stream, which ends after about half an hour; reconnect then',
      content: {
        'text/event-stream': {
          schema: {
            oneOf: ['Deployment', 'Withdrawal', 'AccountDeletion'].map((name) => reference(name)),
          },
          example: recorded.body,
        },
      },
    },
    400: { ...problemAnswer(['bad_request']), ...asked },
    404: { ...problemAnswer(['not_found']), ...noSuchUser },
    405: otherMethod,
    429: tooMany('This address has too many streams open.'),
    500: problemAnswer(['internal_error']),
    503: {
      ...problemAnswer(['unavailable']),
      description: 'The database cannot answer right now, or too many streams are open.',
    },
  },
}
