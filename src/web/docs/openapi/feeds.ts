import type { ProblemCode } from '../../../domain/problem.ts'
import { problemAnswer } from './answers.ts'
import { asked, before, filter, nobody, search, unreadable } from './read.ts'
import { reference, text } from './schemas.ts'

const formats = {
  atom: {
    name: 'Atom',
    content: { 'application/atom+xml': { schema: text } },
    // Its address has no ending of JSON: whoever opens it in a browser sees a page that says why.
    problem: { content: { 'text/html': { schema: text } } },
  },
  json: {
    name: 'JSON Feed 1.1',
    content: { 'application/feed+json': { schema: reference('JsonFeed') } },
    problem: {},
  },
} as const

type Format = keyof typeof formats

/** GET /feed.atom or /feed.json */
export function feedOfAll(format: Format) {
  const parameters = filter.filter(({ name }) => name === 'category')
  return {
    operationId: `feed_${format}`,
    summary: `The feed for feed readers, as ${formats[format].name}`,
    parameters: [search, ...parameters, ...asksAgain],
    responses: { ...answers(format), 404: { ...problemOf('not_found', format), ...nobody } },
  }
}

/** GET /{username}/feed.atom or /{username}/feed.json */
export function feedOfUser(format: Format) {
  const username = { name: 'username', in: 'path', required: true, schema: text }
  return {
    operationId: `user_feed_${format}`,
    summary: `What one user announced, for feed readers, as ${formats[format].name}`,
    parameters: [
      username,
      ...filter.filter(({ name }) => name === 'category' || name === 'target'),
      ...asksAgain,
    ],
    responses: { ...answers(format), 404: { ...problemOf('not_found', format), ...nobody } },
  }
}

const asksAgain = [
  before,
  { name: 'If-None-Match', in: 'header', description: 'The ETag that you have', schema: text },
]

function answers(format: Format) {
  const headers = { ETag: { description: 'Of what it says', required: true, schema: text } }
  return {
    200: {
      description: 'At most 50 deployments and a link to the older ones',
      content: formats[format].content,
      headers,
    },
    304: { description: 'It says what it said', headers },
    400: { ...problemOf('bad_request', format), ...asked },
    500: problemOf('internal_error', format),
    503: { ...problemOf('unavailable', format), ...unreadable },
  }
}

function problemOf(code: ProblemCode, format: Format) {
  return { ...problemAnswer([code]), ...formats[format].problem }
}
