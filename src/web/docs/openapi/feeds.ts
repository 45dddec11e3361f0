import { entriesOfFeed } from '../../../domain/feed/page-sizes.ts'
import { asked, beforeId, filter, noSuchUser, ofEachRead, problemAnswer, search, whose } from './parts.ts'
import { etag, ifNoneMatch } from './reading.ts'
import { reference, text } from './schemas.ts'

const formats = {
  atom: {
    name: 'Atom',
    id: 'AtomFeed',
    content: { 'application/atom+xml': { schema: text } },
  },
  json: {
    name: 'JSON Feed 1.1',
    id: 'JsonFeed',
    content: { 'application/feed+json': { schema: reference('JsonFeed') } },
  },
} as const

type Format = keyof typeof formats

/** GET /feed.atom or /feed.json */
export function feedOfAll(format: Format) {
  const parameters = filter.filter(({ name }) => name === 'category' || name === 'env')
  return {
    ...aboutFeed,
    operationId: `get${formats[format].id}`,
    summary: `The feed for feed readers, as ${formats[format].name}`,
    parameters: [search, ...parameters, ...asksAgain],
    responses: { ...answers(format), 404: { ...problemAnswer(['not_found']), ...noSuchUser } },
  }
}

/** GET /{username}/feed.atom or /{username}/feed.json */
export function feedOfUser(format: Format) {
  return {
    ...aboutFeed,
    operationId: `get${formats[format].id}OfUser`,
    summary: `The deployments of one user for feed readers, as ${formats[format].name}`,
    parameters: [whose, ...filter.filter(({ name }) => name !== 'user'), ...asksAgain],
    responses: { ...answers(format), 404: { ...problemAnswer(['not_found']), ...noSuchUser } },
  }
}

const aboutFeed = {
  tags: ['Feeds'],
  description: 'The newest deployments. A client that sends its ETag gets a 304 until something changes.',
  security: [],
}

const asksAgain = [beforeId, ifNoneMatch]

function answers(format: Format) {
  return {
    200: {
      description: `At most ${entriesOfFeed} deployments and a link to the older ones`,
      content: formats[format].content,
      headers: etag,
    },
    304: { description: 'The content has not changed', headers: etag },
    400: { ...problemAnswer(['bad_request']), ...asked },
    ...ofEachRead,
  }
}
