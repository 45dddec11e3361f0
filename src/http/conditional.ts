import { type PreparedResponse, prepare } from './compression.ts'

type Init = { readonly headers: Readonly<Record<string, string>> }

/**
 * Makes the answer with a text, or 304 for who has it. Its tag is of the text itself and weak, since the
 * bytes differ by their compression.
 */
export function prepareTagged(text: string, { headers }: Init): PreparedResponse {
  const etag = tagOf(text)
  const tagged = { ...headers, ETag: etag }
  const answer = prepare(text, { headers: tagged })
  return (request) => {
    if (!isKnown(etag, request)) return answer(request)
    const { 'Content-Type': _, ...rest } = tagged as Record<string, string>
    return new Response(null, { status: 304, headers: rest })
  }
}

/** The weak tag of whatever is made of a text. */
export function tagOf(text: string): string {
  return `W/"${Bun.hash(text).toString(36)}"`
}

/** Whether a request says that it has what the tag is of. Compared weakly: RFC 9110, 13.1.2. */
export function isKnown(etag: string, { headers }: Request): boolean {
  const ifNoneMatch = headers.get('if-none-match')
  if (ifNoneMatch === null) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
