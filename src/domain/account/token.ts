import { day } from '../time.ts'

const prefixOfToken = 'ship_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 30
const checksumLength = 6
const randomBytes = 32

export const defaultToken = 'default'

/** How many tokens a user may have; rolled ones do not count. */
export const maxTokens = 50

/** For so long after a roll, the old token works if its owner wants it to (drizzle/functions/renew_token.sql). */
export const oldTokenHours = 24

/** From this many days before its end, a token's owner and pipelines are warned. */
export const warnedDays = 14

export type TokenEnd = { readonly at: Date; readonly days: number }

/** The end of a token with the whole days until then. */
export function tokenEndOf(at: Date, now: Date): TokenEnd {
  return { at, days: Math.max(0, Math.floor((at.getTime() - now.getTime()) / day)) }
}

export const publisherTokenMinutes = 15

/**
 * Makes an API token of 32 random bytes: `ship_`, 30 base62 digits, and their CRC-32 in 6 more. Throws a
 * RangeError for any other number of bytes. Of 178 bits, no token is favored by more than one part in 2^77.
 * Another prefix, of lower-case letters and `_`, makes another kind of secret.
 */
export function tokenFrom(random: Uint8Array, prefix = prefixOfToken): string {
  if (random.length !== randomBytes) throw new RangeError(`A token is made of ${randomBytes} random bytes`)
  const number = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const secret = base62(number, secretLength)
  return prefix + secret + checksumOf(secret)
}

/** Whether a text has the form and checksum of a token. Only the database knows whether it works. */
export function isToken(text: string, prefix = prefixOfToken): boolean {
  const [, begin, secret, checksum] = /^([a-z]+_)([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return begin === prefix && secret !== undefined && checksum === checksumOf(secret)
}

/** Every token in a text, recognized by its form and checksum. */
export function tokensIn(text: string): string[] {
  return [...text.matchAll(/ship_[0-9A-Za-z]{36}/g)].flatMap(([found]) => (isToken(found) ? [found] : []))
}

function checksumOf(secret: string): string {
  return base62(BigInt(Bun.hash.crc32(secret)), checksumLength)
}

/** A number modulo 62^length in base62, zero-padded. */
function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text
}
