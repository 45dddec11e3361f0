/** The SHA-256 of a secret, in hex. A fast hash is right for 178 random bits and more. */
export function hashSecret(secret: string): string {
  return new Bun.CryptoHasher('sha256').update(secret).digest('hex')
}
