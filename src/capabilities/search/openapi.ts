import { facetParameters, facets, facetsOfMany } from '../../domain/feed/facets.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import type { ApiDescription } from '../../web/docs/openapi/description.ts'
import { query } from '../../web/docs/openapi/parts.ts'
import { text } from '../../web/docs/openapi/schemas.ts'
import { maxWords } from './question.ts'

const keys = facetParameters
  .toReversed()
  .map((name) => `${name}:`)
  .join(' and ')
const ofMany = facetsOfMany.map((facet) => facets[facet].parameter)

const search = query(
  'q',
  `Only deployments that match the whole search: at most ${maxWords} words, "a phrase", a @user, a host or project, ${keys}. -word excludes a word. Cannot be combined with user, target or ${ofMany.join(' or ')}. A page may be incomplete and still have an older page`,
  { ...text, maxLength: textBounds.question },
)

/** The lists that a search can be asked of. */
const searched = ['GET /api/deployments', 'GET /api/deployments/live', 'GET /feed.atom', 'GET /feed.json']

export const searchDescription: ApiDescription = {
  additions: Object.fromEntries(searched.map((name) => [name, { parameters: [search] }])),
}
