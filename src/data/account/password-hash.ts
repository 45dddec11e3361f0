import { maxPasswordBytes, normalizePassword } from '../../domain/account/password.ts'
import { workQueue } from '../in-memory-queue.ts'

/** OWASP's minimum for argon2id. Bun computes it off the main thread. */
const cost = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Leaves a core for everything else, and keeps the wait of the last in the queue below two seconds. */
const hashInTurn = workQueue({
  atOnce: Math.min(4, Math.max(1, navigator.hardwareConcurrency - 1)),
  waiting: 60,
})

const parameters = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`

/**
 * The hash of accounts without a password, and in place of one for unknown users, so that checking either takes
 * equally long. No password matches it.
 */
export const unmatchable = `${parameters}${zeros(32)}$${zeros(32)}`

/** Hashes a password that passwordReasons accepts. Throws Busy. */
export function hashPassword(password: string): Promise<string> {
  return hashInTurn(() => Bun.password.hash(normalizePassword(password), cost))
}

/** Whether a password matches a hash, which is null for a user that does not exist. Throws Busy. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const normalized = normalizePassword(password)
  // A text that cannot be a password takes as long to check as a wrong password.
  const canBe = normalized.isWellFormed() && Buffer.byteLength(normalized) <= maxPasswordBytes
  const isRight = await hashInTurn(() =>
    Bun.password.verify((canBe && normalized) || ' ', hash ?? unmatchable),
  )
  return isRight && hash !== null
}

/** Whether a hash was made at another cost than the current one. */
export function isOutdated(hash: string): boolean {
  return !hash.startsWith(parameters)
}

/**
 * Whether a text is an argon2id hash that costs at most four times the current cost to check. With any other
 * hash from elsewhere, each sign-in could take gigabytes and minutes.
 */
export function isAffordable(hash: string): boolean {
  const [, memory, time, lanes] =
    /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$[\w+/-]{11,86}\$[\w+/-]{16,86}$/.exec(hash) ?? []
  return Number(memory) <= 4 * cost.memoryCost && Number(time) <= 4 * cost.timeCost && Number(lanes) <= 4
}

function zeros(bytes: number): string {
  return new Uint8Array(bytes).toBase64({ omitPadding: true })
}
