import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { inMs, oneRowOf, rowsOf } from '../../database/sql.ts'
import { type Attempt, type Attempts, attemptsOf, countAttempts, retryAfter } from './attempts.ts'
import { hashPassword, isOutdated, verifyPassword } from './password-hash.ts'
import { users } from './schema.ts'
import { hashSecret } from './secret.ts'
import { turns } from './turns.ts'
import { isAccount } from './users.ts'

/** How many wrong passwords are checked (docs/decisions.md#accounts). */
const limits = {
  address: { most: 20, hours: 1 },
  account_and_address: { most: 10, hours: 1 },
  account: { most: 100, hours: 24 },
  device: { most: 10, hours: 1 },
  session: { most: 10, hours: 1 },
} as const

/** For how long a browser is known in which somebody has signed in. */
export const deviceDays = 365

/** Guesses must leave connections for pages, badges and announcements. */
const inTurn = turns({ atOnce: 4, waiting: 60 })

type Guess = {
  /** Null if the text is not spelled like a username: then nobody's account is guessed at. */
  readonly username: string | null
  readonly password: string
  readonly from:
    | { readonly address: string; readonly device: string | null }
    /** An open session that asks for the password again. */
    | { readonly sessionHash: string }
}

export type PasswordCheck =
  | { readonly outcome: 'right'; readonly userId: number }
  | { readonly outcome: 'wrong'; readonly userId: number | null }
  | { readonly outcome: 'throttled'; readonly userId: number | null; readonly retryAfterSeconds: number }

/**
 * Checks a password. A wrong one counts for the browser in which this account has signed in before, or for
 * the session that asks, or else for the account and the address. After too many, none is checked. Throws
 * Busy and Unavailable.
 */
export async function checkPassword(db: Db, guess: Guess): Promise<PasswordCheck> {
  return await inTurn(async () => {
    const { userId, passwordHash, attempts, earlier, now } = await readFacts(db, guess)
    const wait = retryAfter(attempts, earlier, now)
    if (wait !== null) return { outcome: 'throttled', userId, retryAfterSeconds: wait }
    if (await verifyPassword(guess.password, passwordHash)) {
      if (userId === null || passwordHash === null) throw new Error("nobody's password was right")
      if (isOutdated(passwordHash)) await renewHash(db, userId, passwordHash, guess.password)
      return { outcome: 'right', userId }
    }
    const retryAfterSeconds = await countAttempts(db, attempts)
    if (retryAfterSeconds !== null) return { outcome: 'throttled', userId, retryAfterSeconds }
    return { outcome: 'wrong', userId }
  })
}

type Row = {
  readonly user_id: number | null
  readonly password_hash: string | null
  readonly is_known_device: boolean
  readonly earlier: Attempts
  readonly now_ms: number
}

/** Everything that a guess depends on, in one statement. */
async function readFacts(db: Db, { username, from }: Guess) {
  const device = 'address' in from && from.device !== null ? hashSecret(from.device) : null
  const ofDevice: Attempt[] =
    device === null ? [] : [{ kind: 'device', subject: device, limit: limits.device }]
  const ofOthers = othersOf(username, from)
  const row = await db.run((queries) =>
    oneRowOf<Row>(
      queries,
      sql`
        select u.id::int8::float8 as user_id, u.password_hash, d.hash is not null as is_known_device,
          ${attemptsOf([...ofDevice, ...ofOthers])} as earlier, ${inMs(sql`now()`)} as now_ms
        from (select 1) one
        left join users u on u.username = ${username}
        left join devices d
          on d.user_id = u.id and d.hash = ${device} and d.signed_in_at > now() - make_interval(days => ${deviceDays})`,
    ),
  )
  return {
    userId: row.user_id,
    passwordHash: row.password_hash,
    attempts: row.is_known_device ? ofDevice : ofOthers,
    earlier: row.earlier,
    now: row.now_ms,
  }
}

/** What a guess counts for if it does not come from a known device. */
function othersOf(username: string | null, from: Guess['from']): Attempt[] {
  if ('sessionHash' in from) return [{ kind: 'session', subject: from.sessionHash, limit: limits.session }]
  const ofAddress = { kind: 'address', subject: from.address, limit: limits.address }
  if (username === null) return [ofAddress]
  return [
    ofAddress,
    {
      kind: 'account_and_address',
      subject: `${username} ${from.address}`,
      limit: limits.account_and_address,
    },
    { kind: 'account', subject: username, limit: limits.account },
  ]
}

/** Stores the hash of the same password at today's cost. */
async function renewHash(db: Db, userId: number, outdated: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  await db.run((queries) =>
    queries
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, userId), eq(users.passwordHash, outdated))),
  )
}

/**
 * Sets a new password, ends the user's sessions and links and forgets their devices: the old one may have opened
 * them.
 */
export async function changePassword(db: Db, userId: number, passwordHash: string): Promise<void> {
  await db.run((queries) =>
    rowsOf(
      queries,
      sql`
        with changed as (update users set password_hash = ${passwordHash} where id = ${userId} and ${isAccount}),
          ended as (delete from sessions where user_id = ${userId}),
          links as (delete from password_links where user_id = ${userId})
        delete from devices where user_id = ${userId}`,
    ),
  )
}
