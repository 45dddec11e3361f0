import { type Field, invalid, valid } from '../field-parsing.ts'
import { textBounds } from '../text-bounds.ts'

/** Bare, or in quotes with quotes and backslashes escaped. */
export const keyForm = new RegExp(
  `^([!#-~][!-~]{0,${textBounds.key - 1}}|"([!#-[\\]-~]|\\\\["\\\\]){1,${textBounds.key}}")$`,
  'u',
)

/**
 * Reads the Idempotency-Key header (docs/decisions.md#announce): bare, as most clients send it, or quoted, as in the
 * draft of the standard (an RFC 8941 string). The key is null without a header.
 * drizzle/functions/announce.sql decides what is a retry: a key is known as long as its deployment exists.
 */
export function parseIdempotencyKey(header: string | null): Field<string | null> {
  if (header === null) return valid(null)
  if (!keyForm.test(header)) {
    return invalid(`Idempotency-Key must be 1 to ${textBounds.key} visible ASCII characters, quoted or bare`)
  }
  return valid(header.startsWith('"') ? header.slice(1, -1).replace(/\\(.)/g, '$1') : header)
}
