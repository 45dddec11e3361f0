import { tokensIn } from './account/token.ts'
import { parseIdempotencyKey } from './idempotency-key.ts'

const maxCharacters = 80

/**
 * Tells an owner which of their pipelines made a refused call: the beginning of its Idempotency-Key, else the
 * host of its link; null if there is neither, or a token in it.
 */
export function callSource(idempotencyKey: string | null, link: unknown): string | null {
  const key = parseIdempotencyKey(idempotencyKey)
  const source = (key.ok ? key.key : null) ?? hostOf(link)
  if (source === null || tokensIn(source).length > 0) return null
  return source.length > maxCharacters ? `${source.slice(0, maxCharacters)}…` : source
}

function hostOf(link: unknown): string | null {
  const host = typeof link === 'string' ? URL.parse(link)?.host : undefined
  return host === undefined || host === '' ? null : host
}
