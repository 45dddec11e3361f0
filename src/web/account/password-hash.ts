import { normalizePassword } from '../../domain/password.ts'

/** OWASP's least for argon2id; Bun computes it off the main thread. */
const cost = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

const maxBytes = 1_024

/** Checked in place of a user that does not exist, so that both answers take the same time. */
const nobody = await Bun.password.hash(crypto.randomUUID(), cost)

/** The hash to store of a password that passwordReasons has admitted. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(normalizePassword(password), cost)
}

/** Whether a password is the one of this hash; null stands for a user that does not exist. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  // No password can be longer; a long one must not cost more than any other wrong one.
  const candidate = Buffer.byteLength(password) <= maxBytes ? normalizePassword(password) : ''
  const isRight = await Bun.password.verify(candidate || ' ', hash ?? nobody)
  return isRight && hash !== null
}
