import { maxPasswordBytes, normalizePassword } from '../../domain/account/password.ts'
import { turns } from './turns.ts'

/** The minimum of OWASP for argon2id; Bun computes it off the main thread. */
const cost = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Leaves a core to everything else, and serves whoever waits within two seconds. */
const inTurn = turns({ atOnce: Math.min(4, Math.max(1, navigator.hardwareConcurrency - 1)), waiting: 60 })

const parameters = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`

/** A hash of no password, checked for unknown users so that both answers take the same time. */
const nobodys = `${parameters}${zeros(32)}$${zeros(32)}`

/** Hashes a password that passwordReasons has admitted. Throws Busy. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => Bun.password.hash(normalizePassword(password), cost))
}

/** Whether a password matches a hash; null stands for a user that does not exist. Throws Busy. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const normalized = normalizePassword(password)
  // A text that cannot be a password must not cost more than any other wrong one.
  const canBe = normalized.isWellFormed() && Buffer.byteLength(normalized) <= maxPasswordBytes
  const isRight = await inTurn(() => Bun.password.verify((canBe && normalized) || ' ', hash ?? nobodys))
  return isRight && hash !== null
}

/** Whether a hash has another cost than today's. */
export function isOutdated(hash: string): boolean {
  return !hash.startsWith(parameters)
}

function zeros(bytes: number): string {
  return new Uint8Array(bytes).toBase64({ omitPadding: true })
}
