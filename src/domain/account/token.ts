import { day } from '../ages-and-days.ts'

const prefixes = { token: 'ship_', key: 'read_' } as const
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 30
const checksumLength = 6
const randomBytes = 32

/** The name of the token that a user has without naming one. */
export const defaultToken = 'default'

/** How many tokens a user may have, not counting those that were rolled. */
export const mostTokens = 50

/** How long a rolled token still works if its owner keeps it until the pipelines have the new one. */
export const oldTokenHours = 24

/** The end of a token is shown to its owner, and its pipelines are warned, from this many days before it. */
export const warnedDays = 14

/** When a token stops working, and the whole days until then. */
export type TokenEnd = { readonly at: Date; readonly days: number }

/** The end of a token that stops working at this instant, seen from `now`. */
export function tokenEndOf(at: Date, now: Date): TokenEnd {
  return { at, days: Math.max(0, Math.floor((at.getTime() - now.getTime()) / day)) }
}

/** How long a token works that was exchanged for an identity token. */
export const publisherTokenMinutes = 15

/**
 * Makes an API token of 32 random bytes: `ship_`, 30 base62 digits, and their CRC-32 in 6 more
 * (docs/decisions.md#accounts). Throws a RangeError for any other number of bytes. Taking 256 bits modulo
 * 62^30 (178.6 bits) favours no token by more than one part in 2^77.
 */
export function tokenFrom(random: Uint8Array): string {
  return secretFrom('token', random)
}

/** The same for a read key, which begins with `read_`. */
export function readKeyFrom(random: Uint8Array): string {
  return secretFrom('key', random)
}

function secretFrom(kind: keyof typeof prefixes, random: Uint8Array): string {
  if (random.length !== randomBytes) throw new RangeError(`A token is made of ${randomBytes} random bytes`)
  const number = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const secret = base62(number, secretLength)
  return prefixes[kind] + secret + checksumOf(secret)
}

/** Whether a text has the form of a token, including the checksum. Only the database knows whether it works. */
export function isToken(text: string): boolean {
  return isSecretOf('token', text)
}

/** The same for a read key. */
export function isReadKey(text: string): boolean {
  return isSecretOf('key', text)
}

function isSecretOf(kind: keyof typeof prefixes, text: string): boolean {
  const [, prefix, secret, checksum] = /^([a-z]+_)([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return prefix === prefixes[kind] && secret !== undefined && checksum === checksumOf(secret)
}

/** Every token in a text, recognised by its form and checksum. */
export function tokensIn(text: string): string[] {
  return [...text.matchAll(/ship_[0-9A-Za-z]{36}/g)].map(([found]) => found).filter(isToken)
}

function checksumOf(secret: string): string {
  return base62(BigInt(Bun.hash.crc32(secret)), checksumLength)
}

/** The last `length` base62 digits of a number (so modulo 62^length), zero-padded. */
function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text
}
