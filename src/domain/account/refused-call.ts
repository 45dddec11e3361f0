import { parseIdempotencyKey } from '../announcement.ts'
import { urlOf } from '../text-fields.ts'
import { tokensIn } from './token.ts'

const maxSourceCharacters = 80

/** How many characters of a source are stored with a token: one more than is shown, which tells that it was longer. */
export const sourceKept = maxSourceCharacters + 1

/**
 * The source of a refused call, by which an owner recognises the pipeline: the beginning of its
 * Idempotency-Key, else the host of its link. Null if it has neither, or if the text contains a token.
 */
export function callSource(idempotencyKey: string | null, link: unknown): string | null {
  const key = parseIdempotencyKey(idempotencyKey)
  return shownSource((key.outcome === 'valid' ? key.key : null) ?? hostOf(link))
}

/** A key or host as a source: cut, and null if it contains a token or is empty. */
export function shownSource(text: string | null): string | null {
  if (text === null || text === '' || tokensIn(text).length > 0) return null
  return text.length > maxSourceCharacters ? `${text.slice(0, maxSourceCharacters)}…` : text
}

function hostOf(link: unknown): string | null {
  return typeof link === 'string' ? (urlOf(link)?.host ?? null) : null
}
