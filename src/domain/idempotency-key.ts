export const maxKeyCharacters = 255

/**
 * A key in its header: visible ASCII characters, either bare, or in quotes with quotes and backslashes escaped.
 */
export const keyPattern = `^([!#-~][!-~]{0,${maxKeyCharacters - 1}}|"([!#-[\\]-~]|\\\\["\\\\]){1,${maxKeyCharacters}}")$`

const key = new RegExp(keyPattern, 'u')

/**
 * Reads the Idempotency-Key header (docs/decisions.md#announce): 1 to 255 visible ASCII characters, bare, as most
 * clients send it, or quoted, as in the draft of the standard (an RFC 8941 string). Both spellings give the same key.
 * It is a column of its deployment, and so kept as long. The key is null without a header.
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
