import { type PreparedResponse, prepare } from './compression.ts'

type Init = { readonly headers: Readonly<Record<string, string>> }

/**
 * Makes the answer with a text, or 304 for who has it. Its tag is of the text itself and weak, since the
 * bytes differ by their compression.
 */
export function prepareTagged(text: string, { headers }: Init): PreparedResponse {
  const etag = `W/"${Bun.hash(text).toString(36)}"`
  const tagged = { ...headers, ETag: etag }
  const answer = prepare(text, { headers: tagged })
  return (request) => {
    if (!isKnown(etag, request.headers.get('if-none-match'))) return answer(request)
    const { 'Content-Type': _, ...rest } = tagged as Record<string, string>
    return new Response(null, { status: 304, headers: rest })
  }
}

/** Compared weakly: RFC 9110, 13.1.2. */
function isKnown(etag: string, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
