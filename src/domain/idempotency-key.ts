import { tokensIn } from './account/token.ts'
import { urlOf } from './text.ts'

export const maxKeyCharacters = 255

/**
 * A key in its header: visible ASCII characters, either bare, or in quotes with quotes and backslashes escaped.
 */
export const keyPattern = `^([!#-~][!-~]{0,${maxKeyCharacters - 1}}|"([!#-[\\]-~]|\\\\["\\\\]){1,${maxKeyCharacters}}")$`

const key = new RegExp(keyPattern, 'u')

/**
 * Reads the Idempotency-Key header (docs/decisions.md#announce): 1 to 255 visible ASCII characters, bare, as
 * most clients send it, or quoted, as in the draft of the standard (an RFC 8941 string). Both spellings give
 * the same key, which is kept as long as its deployment. The key is null without a header.
 */
export function parseIdempotencyKey(
  header: string | null,
): { outcome: 'valid'; key: string | null } | { outcome: 'invalid'; reason: string } {
  if (header === null) return { outcome: 'valid', key: null }
  if (!key.test(header)) return { outcome: 'invalid', reason }
  return {
    outcome: 'valid',
    key: header.startsWith('"') ? header.slice(1, -1).replace(/\\(.)/g, '$1') : header,
  }
}

const reason = `Idempotency-Key must be 1 to ${maxKeyCharacters} visible ASCII characters, quoted or bare`

const maxSourceCharacters = 80

/** How many characters of a source are stored with a token: one more than is shown tells that it was longer. */
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
