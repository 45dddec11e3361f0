/** 256 random bits in base64url, for a cookie or a link. */
export function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** The SHA-256 of a secret, in hex. A fast hash is enough: our secrets have at least 178 random bits. */
export function hashSecret(secret: string): string {
  return Bun.CryptoHasher.hash('sha256', secret, 'hex')
}
