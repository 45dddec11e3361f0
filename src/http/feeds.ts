import { taggedJsonHeaders } from './headers.ts'
import { type Responder, taggedResponder } from './responses.ts'

/** The types of feeds for readers. `onPage` is a type that browsers show: Firefox would save a feed in a file. */
const types = {
  atom: { type: 'application/atom+xml; charset=utf-8', onPage: 'text/xml; charset=utf-8' },
  json: { type: 'application/feed+json; charset=utf-8', onPage: 'application/json; charset=utf-8' },
} as const

export type FeedFormat = keyof typeof types

const headers = { ...taggedJsonHeaders, Vary: 'Accept-Encoding, Sec-Fetch-Dest' }

/** Answers with a feed for readers, or with 304 to those that have it. */
export function feedResponder(text: string, format: FeedFormat): Responder {
  const { type, onPage } = types[format]
  const answer = taggedResponder(text, { headers: { ...headers, 'Content-Type': type } })
  return (request) => {
    const response = answer(request)
    if (request.headers.get('sec-fetch-dest') === 'document') response.headers.set('Content-Type', onPage)
    return response
  }
}
