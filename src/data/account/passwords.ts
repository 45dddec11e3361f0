import { and, eq, sql } from 'drizzle-orm'
import { type Db, inMs } from '../../database/db.ts'
import { normalizePassword } from '../../domain/account/password.ts'
import { networkOf, passwordLimits } from '../../domain/attempt-limits.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { workQueue } from '../in-memory-queue.ts'
import { allRows, oneRow } from '../statements.ts'
import type { TableUse } from '../table-uses/table-use.ts'
import { endingAccess } from './access.ts'
import { deviceDays } from './sessions.ts'
import { isAccount, users } from './tables.ts'
import { type Attempt, type Attempts, attemptsOf, countAttempts, retryAfter } from './throttle.ts'
import { hashSecret } from './tokens.ts'

/** OWASP's minimum for argon2id. Bun computes it off the main thread. */
const cost = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Leaves a core for the rest, and keeps the last wait below two seconds. */
const hashInTurn = workQueue({
  atOnce: Math.min(4, Math.max(1, navigator.hardwareConcurrency - 1)),
  waiting: 60,
})

const parameters = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`

/** 32 bytes in Base64. */
const zeros = 'A'.repeat(43)

/** A hash that no password matches, and that takes as long to check as one that `hashPassword` makes. */
export const unmatchable = `${parameters}${zeros}$${zeros}`

/** Hashes a password that passwordReasons accepts. Throws Busy. */
export function hashPassword(password: string): Promise<string> {
  return hashInTurn(() => Bun.password.hash(normalizePassword(password), cost))
}

/** Whether a password matches a hash, which is null for a user that does not exist. Throws Busy. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const normalized = normalizePassword(password)
  // A text that cannot be a password takes as long to check as a wrong password.
  const canBe = normalized.isWellFormed() && Buffer.byteLength(normalized) <= textBounds.password
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
 * Whether a text is an argon2id hash that costs at most four times the current one: checking another could
 * take gigabytes and minutes.
 */
export function isAffordable(hash: string): boolean {
  const [, memory, time, lanes] =
    /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$[\w+/-]{11,86}\$[\w+/-]{16,86}$/.exec(hash) ?? []
  return Number(memory) <= 4 * cost.memoryCost && Number(time) <= 4 * cost.timeCost && Number(lanes) <= 4
}

/** Leaves connections for pages, badges and announcements. */
const checkInTurn = workQueue({ atOnce: 4, waiting: 60 })

type Guess = {
  /** Null if the text cannot be a username. */
  readonly username: string | null
  readonly password: string
  readonly from:
    | { readonly address: string; readonly device: string | null }
    /** For a password that is asked for again. */
    | { readonly sessionHash: string }
}

type PasswordCheck =
  | { readonly outcome: 'right'; readonly userId: number }
  | { readonly outcome: 'wrong'; readonly userId: number | null }
  | { readonly outcome: 'throttled'; readonly userId: number | null; readonly retryAfterSeconds: number }

/**
 * Checks a password (docs/decisions.md#accounts), unless there were too many wrong ones, which count against the known
 * browser, against the session, or else the account and the address. Throws Busy.
 */
export async function checkPassword(db: Db, guess: Guess): Promise<PasswordCheck> {
  return await checkInTurn(async () => {
    const { userId, passwordHash, attempts, earlier, now } = await readGuess(db, guess)
    const wait = retryAfter(attempts, earlier, now)
    if (wait !== null) return { outcome: 'throttled', userId, retryAfterSeconds: wait }
    const isRight = await verifyPassword(guess.password, passwordHash)
    if (isRight && userId !== null && passwordHash !== null) {
      if (isOutdated(passwordHash)) await renewHash(db, userId, passwordHash, guess.password)
      return { outcome: 'right', userId }
    }
    const retryAfterSeconds = await countAttempts(db, attempts)
    if (retryAfterSeconds !== null) return { outcome: 'throttled', userId, retryAfterSeconds }
    return { outcome: 'wrong', userId }
  })
}

type Row = {
  readonly userId: number | null
  readonly passwordHash: string | null
  readonly isKnownDevice: boolean
  readonly earlier: Attempts
  readonly now: number
}

async function readGuess(db: Db, { username, from }: Guess) {
  const device = 'address' in from && from.device !== null ? hashSecret(from.device) : null
  const ofDevice = device === null ? [] : [attempt('device', device)]
  const ofOthers = othersOf(username, from)
  const row = await db.readPrimary(
    oneRow<Row>(sql`
      select u.id as "userId", u.password_hash as "passwordHash", d.hash is not null as "isKnownDevice",
        ${attemptsOf([...ofDevice, ...ofOthers])} as earlier, ${inMs(sql`now()`)} as now
      from (select 1) one
      left join users u on u.username = ${username}
      left join devices d
        on d.user_id = u.id and d.hash = ${device} and d.signed_in_at > now() - make_interval(days => ${deviceDays})`),
  )
  return { ...row, attempts: row.isKnownDevice ? ofDevice : ofOthers }
}

/** What a guess counts against if it does not come from a known browser. */
function othersOf(username: string | null, from: Guess['from']): Attempt[] {
  if ('sessionHash' in from) return [attempt('session', from.sessionHash)]
  const ofAddress = attempt('address', from.address)
  if (username === null) return [ofAddress]
  const ofNetwork = attempt('account_and_network', `${username} ${networkOf(from.address)}`)
  return [
    ofAddress,
    attempt('account_and_address', `${username} ${from.address}`),
    { ...attempt('account', username), beyond: { within: ofNetwork, upTo: passwordLimits.account_in_all } },
  ]
}

function attempt(kind: keyof typeof passwordLimits, subject: string): Attempt {
  return { kind, subject, limit: passwordLimits[kind] }
}

async function renewHash(db: Db, userId: number, outdated: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  await db.write((queries) =>
    queries
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, userId), eq(users.passwordHash, outdated))),
  )
}

/**
 * Sets a new password, ends sessions and links and forgets browsers, because someone with the old one may have opened
 * them. Also ends all other access that rows of `ending` give.
 */
export async function changePassword(
  db: Db,
  userId: number,
  passwordHash: string,
  ending: readonly TableUse[] = [],
): Promise<void> {
  const because = 'all access was ended with a new password: check its address'
  await db.write(
    allRows(sql`
      ${endingAccess(ending, sql`user_id = ${userId}`, because)}
      update users set password_hash = ${passwordHash} where id = ${userId} and ${isAccount}`),
  )
}
