import { isGuessable } from './guessable.ts'

const minBytes = 10
export const maxPasswordBytes = 1024

/** A password in the one spelling that is hashed (NFC): keyboards differ in how they compose an é. */
export function normalizePassword(text: string): string {
  return text.normalize('NFC')
}

/**
 * The reasons to refuse a password for this username, none if it is good: 10 to 1,024 bytes once normalized,
 * well-formed, neither the username nor one of the commonest in any case (docs/decisions.md#accounts).
 */
export function passwordReasons(password: string, username: string): string[] {
  const normalized = normalizePassword(password)
  const bytes = new TextEncoder().encode(normalized).length
  return [
    // Told in characters, because ten of any kind are enough.
    ...(bytes < minBytes ? [`must be at least ${minBytes} characters`] : []),
    ...(bytes > maxPasswordBytes ? [`must be at most ${maxPasswordBytes} bytes`] : []),
    ...(normalized.isWellFormed() ? [] : ['must be well-formed Unicode']),
    ...(bytes < minBytes ? [] : guessableReasons(normalized.toLowerCase(), username.toLowerCase())),
  ]
}

function guessableReasons(lowerCase: string, username: string): string[] {
  if (lowerCase === username) return ["can't be your username"]
  if (!isGuessable(lowerCase, [username])) return []
  return ['is one of the commonest passwords, or too close to one: please choose another']
}
