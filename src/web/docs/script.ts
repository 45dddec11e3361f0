import { textHeaders } from '../../http/headers.ts'
import { type Responder, taggedResponder } from '../../http/responses.ts'
import type { Site } from '../../views/page/site.ts'

/** A file of ci/ with the address of this server filled in. */
export function filledIn(text: string, { baseUrl, audience }: Pick<Site, 'baseUrl' | 'audience'>): string {
  return text.replaceAll('@SHIPFEED_URL@', baseUrl).replaceAll('@SHIPFEED_AUDIENCE@', audience)
}

/** Serves such a file. */
export function served(text: string, type: string): Responder {
  return taggedResponder(text, {
    headers: { ...textHeaders, 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' },
  })
}
