import { parseIdempotencyKey } from '../announcement/idempotency-key.ts'
import { urlOf } from '../field-parsing.ts'
import { tokensIn } from './token.ts'

/** The order matters: each browser also claims to be those below it. */
const browsers = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /Chrom(e|ium)\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Names a browser by its User-Agent: "Firefox on Linux". */
export function deviceOf(userAgent: string): string {
  const browser = nameIn(browsers, userAgent) ?? 'Unknown browser'
  const system = nameIn(systems, userAgent)
  return system === null ? browser : `${browser} on ${system}`
}

function nameIn(names: readonly (readonly [string, RegExp])[], userAgent: string): string | null {
  return names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null
}

const maxSourceCharacters = 80

/** One more than is shown, which tells that the text was longer. */
export const sourceKept = maxSourceCharacters + 1

/**
 * The source of a refused call: its Idempotency-Key, else the host of its link. Null without both, or with a
 * token.
 */
export function callSource(idempotencyKey: string | null, link: unknown): string | null {
  const key = parseIdempotencyKey(idempotencyKey)
  if (key.outcome === 'valid' && key.key !== null) return shownSource(key.key)
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
