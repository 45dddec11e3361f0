import { isToken, tokenFrom } from '../../domain/account/token.ts'

const prefix = 'read_'

/** Makes a read key of 32 random bytes. */
export function readKeyFrom(random: Uint8Array): string {
  return tokenFrom(random, prefix)
}

/** Whether a text has the form and checksum of a read key. Only the database knows whether it works. */
export function isReadKey(text: string): boolean {
  return isToken(text, prefix)
}
