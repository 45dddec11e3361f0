import { entriesOfFeed } from '../../domain/feed/feed.ts'
import type { ApiDescription } from '../../web/docs/openapi/description.ts'
import { about, whose } from '../../web/docs/openapi/parts.ts'
import {
  atomContent,
  beforeId,
  ifNoneMatch,
  ofFacets,
  ofFacetsAndTarget,
  ofTime,
  taggedAnswers,
  wrongQuestion,
} from '../../web/docs/openapi/reading.ts'
import {
  category,
  displayName,
  message,
  objectOf,
  reference,
  text,
  time,
  uri,
} from '../../web/docs/openapi/schemas.ts'

const feedForReaders = (content: object) => ({
  description: 'The newest deployments. A client that sends its ETag gets a 304 until something changes.',
  responses: taggedAnswers(
    `At most ${entriesOfFeed} deployments and a link to the older ones`,
    content,
    wrongQuestion,
  ),
})

const atom = feedForReaders(atomContent)
const jsonFeed = feedForReaders({
  'application/feed+json': { schema: reference('JsonFeed') },
  'application/json': { schema: reference('JsonFeed') },
})
const ofFeed = [...ofFacets, ...ofTime, beforeId, ifNoneMatch]
const ofFeedOfUser = [whose, ...ofFacetsAndTarget, ...ofTime, beforeId, ifNoneMatch]

export const feedsDescription: ApiDescription = {
  tags: [{ name: 'Feeds', description: 'The feed for feed readers', isFeed: true }],
  operations: {
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
      ...about(
        'Feeds',
        'getJsonFeedOfUser',
        'The deployments of one user for feed readers, as JSON Feed 1.1',
      ),
      ...jsonFeed,
      parameters: ofFeedOfUser,
    },
  },
  schemas: {
    // The standard allows further members; ours has none.
    JsonFeed: objectOf(
      {
        version: { const: 'https://jsonfeed.org/version/1.1' },
        title: text,
        home_page_url: uri,
        feed_url: uri,
        language: { const: 'en' },
        items: { type: 'array', items: reference('JsonFeedItem'), maxItems: entriesOfFeed },
      },
      { next_url: uri },
    ),
    JsonFeedItem: objectOf(
      {
        id: uri,
        url: uri,
        title: text,
        content_text: message,
        content_html: text,
        date_published: time,
        authors: {
          type: 'array',
          items: objectOf({ name: displayName, url: uri }),
          minItems: 1,
          maxItems: 1,
        },
      },
      { external_url: uri, tags: { type: 'array', items: category, minItems: 1, maxItems: 1 } },
    ),
  },
}
