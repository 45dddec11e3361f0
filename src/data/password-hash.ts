import { maxPasswordBytes, normalizePassword } from '../domain/password.ts'

/** OWASP's least for argon2id; Bun computes it off the main thread. */
const cost = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** No password's hash. It costs the same to check, so that both answers take the same time. */
const nobodys = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$${zeros(32)}$${zeros(32)}`

/** The hash to store of a password that passwordReasons has admitted. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(normalizePassword(password), cost)
}

/** Whether a password is the one of this hash; null stands for a user that does not exist. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  // No password can be longer; a long one must not cost more than any other wrong one.
  const candidate = Buffer.byteLength(password) <= maxPasswordBytes ? normalizePassword(password) : ''
  const isRight = await Bun.password.verify(candidate || ' ', hash ?? nobodys)
  return isRight && hash !== null
}

function zeros(bytes: number): string {
  return new Uint8Array(bytes).toBase64({ omitPadding: true })
}
