import { textBounds } from '../../domain/text-bounds.ts'
import { largestId } from '../../http/query-parameters.ts'
import type { ApiDescription } from '../../web/docs/openapi/description.ts'
import { about, inPath, jsonOf, neededQuery, query, target, whose } from '../../web/docs/openapi/parts.ts'
import {
  atomContent,
  beforeId,
  ifNoneMatch,
  taggedAnswers,
  wrongQuestion,
} from '../../web/docs/openapi/reading.ts'
import { displayName, integer, objectOf, problemSchema, text, uri } from '../../web/docs/openapi/schemas.ts'
import { deploymentsRead } from './rules.ts'

/** A changelog in one of its forms. */
const readerOf = (content: object) => ({
  parameters: [
    whose,
    inPath('target', 'A host, or a host and path; its slashes may be escaped', target),
    beforeId,
    ifNoneMatch,
  ],
  responses: taggedAnswers(
    `At most ${deploymentsRead} deployments by their versions, and a link to the older ones`,
    content,
    {
      ...wrongQuestion,
      not_found: 'There is no such user, or they have deployed nothing to this target itself.',
    },
  ),
})

const pixels = { ...integer, minimum: 1, maximum: largestId }

export const changelogDescription: ApiDescription = {
  tags: [{ name: 'Changelog', description: 'What a project tells its users', isFeed: true }],
  operations: {
    'GET /{username}/{target}/changelog.md': {
      ...about('Changelog', 'getChangelog', 'The changelog of a project, in the form of Keep a Changelog'),
      ...readerOf({ 'text/markdown': { schema: text } }),
    },
    'GET /{username}/{target}/changelog.atom': {
      ...about('Changelog', 'getAtomChangelog', 'The same for feed readers, with an entry for each version'),
      ...readerOf(atomContent),
    },
    'GET /oembed': {
      ...about('Changelog', 'getEmbed', 'A frame with a changelog, by oEmbed 1.0'),
      parameters: [
        neededQuery('url', 'The address of a changelog or a project', { ...uri, maxLength: textBounds.link }),
        query('format', 'The only format is JSON', { ...text, enum: ['json'] }),
        query('maxwidth', 'The width that there is for the frame, in pixels', pixels),
        query('maxheight', 'The height that there is for the frame, in pixels', pixels),
        ifNoneMatch,
      ],
      responses: taggedAnswers('The frame', jsonOf('Embed'), {
        ...wrongQuestion,
        not_found: 'There is no such changelog or project on this service.',
        not_implemented: null,
      }),
    },
  },
  schemas: {
    not_implemented: problemSchema('not_implemented'),
    Embed: objectOf({
      version: { const: '1.0' },
      type: { const: 'rich' },
      title: text,
      author_name: displayName,
      author_url: uri,
      provider_name: { const: 'Shipfeed' },
      provider_url: uri,
      width: pixels,
      height: pixels,
      html: text,
    }),
  },
}
