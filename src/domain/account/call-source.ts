import { parseIdempotencyKey } from '../announcement/idempotency-key.ts'
import { urlOf } from '../field-parsing.ts'
import { tokensIn } from './token.ts'

const maxSourceCharacters = 80

/** One more than is shown, which tells that the text was longer. */
export const sourceKept = maxSourceCharacters + 1

/**
 * The source of a refused call: its Idempotency-Key, else the host of its link. Null without both, or with a
 * token.
 */
export function callSource(idempotencyKey: string | null, link: unknown): string | null {
  const key = parseIdempotencyKey(idempotencyKey)
  if (key.outcome === 'valid' && key.value !== null) return shownSource(key.value)
  return shownSource(typeof link === 'string' ? (urlOf(link)?.host ?? null) : null)
}

/** The random key that ci/announce.sh makes where it knows no run: it names nothing. */
const keyOfShell = /^shell:[0-9a-f]{32}$/

/** A key or host as a source: cut, and null if it contains a token or is empty. */
export function shownSource(text: string | null): string | null {
  if (text === null || text === '' || tokensIn(text).length > 0) return null
  if (keyOfShell.test(text)) return 'a shell'
  return text.length > maxSourceCharacters ? `${text.slice(0, maxSourceCharacters)}…` : text
}
