import { environmentPattern } from '../../../domain/release.ts'
import { maxQuestionLength } from '../../../domain/search/question.ts'
import { limits } from '../../../http/query.ts'
import { recorded } from '../../../views/docs/answer-examples.ts'
import { problemAnswer } from './answers.ts'
import { category, integer, reference, text } from './schemas.ts'

const query = (name: string, description: string, schema: object = text) => ({
  name,
  in: 'query',
  description,
  schema,
})

/** What chooses among deployments. */
export const filter = [
  query('user', 'Only what this user announced'),
  query('category', 'Only this category', category),
  query('target', 'Only links that point at this host, or host and path; with a user alone'),
  query('env', 'Only this environment; without a category', { ...text, pattern: environmentPattern }),
]

const example = { ...recorded.body, username: 'ada', page: 'https://ship.example/ada/412' }

export const search = query(
  'q',
  'Only what has all of these: words, a @user, a host or project; without user, target and env. A page may hold fewer than there are, and still have an older one',
  { ...text, maxLength: maxQuestionLength },
)

export const before = query('before', 'Only deployments before this id', integer)

// What the same problems mean to who reads: nothing is written here, so no key is needed to ask again.
export const asked = { description: 'A parameter is not what it should be. The message says which.' }
export const nobody = { description: 'There is no such user.' }
export const unreadable = { description: 'The database cannot answer right now.' }

/** GET /api/deployments */
export const list = {
  operationId: 'listDeployments',
  summary: 'What the feed shows, the newest first',
  parameters: [
    search,
    ...filter,
    before,
    query('limit', 'How many', { ...integer, minimum: 1, maximum: limits.most, default: limits.usual }),
  ],
  responses: {
    200: {
      description: 'A page of deployments',
      content: {
        'application/json': {
          schema: reference('DeploymentList'),
          example: {
            deployments: [example],
            older: 'https://ship.example/api/deployments?user=ada&before=412',
          },
        },
      },
      headers: { Link: { description: 'The older page, with rel="next"; none on the last', schema: text } },
    },
    400: { ...problemAnswer(['bad_request']), ...asked },
    404: { ...problemAnswer(['not_found']), ...nobody },
    500: problemAnswer(['internal_error']),
    503: { ...problemAnswer(['unavailable']), ...unreadable },
  },
}

/** GET /api/deployments/live */
export const live = {
  operationId: 'followDeployments',
  summary: 'The same as server-sent events, from any event on',
  description:
    'Events are named "deployment", with a ListedDeployment as data, "withdrawn", with a Withdrawal, and ' +
    '"account_deleted", with an AccountDeletion: all deployments of that user are gone. Their ids grow. An EventSource that comes back sends Last-Event-ID and gets everything since. ' +
    'Others have no data: "opening" says how far you are, "heartbeat" that the stream is alive, ' +
    '"interrupted" and "resumed" that the database cannot be read and can be again.',
  parameters: [
    ...filter,
    query('after', 'Everything after the event with this id first; 0 is from the beginning', integer),
    { ...query('Last-Event-ID', 'The same, of a reader who comes back', integer), in: 'header' },
  ],
  responses: {
    200: {
      description: 'A stream that ends after about half an hour: come back then',
      content: {
        'text/event-stream': {
          schema: {
            oneOf: ['ListedDeployment', 'Withdrawal', 'AccountDeletion'].map((name) => reference(name)),
          },
          example,
        },
      },
    },
    400: { ...problemAnswer(['bad_request']), ...asked },
    404: { ...problemAnswer(['not_found']), ...nobody },
    429: {
      ...problemAnswer(['unavailable']),
      description: 'This address has too many streams open.',
      content: { 'application/json': { schema: reference('rate_limited') } },
    },
    500: problemAnswer(['internal_error']),
    503: {
      ...problemAnswer(['unavailable']),
      description: 'The database cannot answer right now, or too many streams are open.',
    },
  },
}
