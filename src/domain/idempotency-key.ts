/**
 * Reads the Idempotency-Key header (docs/decisions.md#announce): 1 to 255 visible ASCII characters, bare as
 * most clients send it, or quoted as the draft of the standard has it (an RFC 8941 string). Both spellings
 * give the same key; null if there is no header.
 */
export function parseIdempotencyKey(
  header: string | null,
): { ok: true; key: string | null } | { ok: false; reason: string } {
  if (header === null) return { ok: true, key: null }
  const key = header.startsWith('"') ? unquoted(header) : header
  if (key !== null && /^[\x21-\x7e]{1,255}$/.test(key)) return { ok: true, key }
  return { ok: false, reason: 'Idempotency-Key must be 1 to 255 visible ASCII characters, quoted or bare' }
}

/** The text of an RFC 8941 string, where a backslash may stand only before a quote or a backslash. */
function unquoted(text: string): string | null {
  const [, inner] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text) ?? []
  return inner === undefined ? null : inner.replace(/\\(.)/g, '$1')
}
