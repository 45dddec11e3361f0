import { eq } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { type Attempt, releaseAttempts, reserveAttempts } from './attempts.ts'
import { verifyPassword } from './password-hash.ts'
import { sessions, users } from './schema.ts'

/** How many wrong passwords are looked at (docs/decisions.md#accounts). */
const limits = {
  account: { kind: 'sign_in_account', limit: 20, window: '1 day' },
  address: { kind: 'sign_in_address', limit: 20, window: '1 hour' },
} as const

type Guess = {
  /** Null where what was typed is not spelled like a username: then nobody's account is guessed at. */
  readonly username: string | null
  readonly password: string
  /** Where the guess came from, or null where a session already tells. */
  readonly address: string | null
}

type Checked =
  | { readonly outcome: 'right'; readonly userId: number }
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }

/** Checks a password. A wrong one counts for its account and address; after too many none is looked at. */
export async function checkPassword(db: Db, { username, password, address }: Guess): Promise<Checked> {
  const reserved = await reserveAttempts(db, attemptsOf(username, address))
  if (!reserved.ok) return { outcome: 'throttled', retryAfterSeconds: reserved.retryAfterSeconds }
  const credentials = await findCredentials(db, username ?? '')
  const isRight = await verifyPassword(password, credentials?.passwordHash ?? null)
  if (credentials === null || !isRight) return { outcome: 'wrong' }
  await releaseAttempts(db, reserved.attemptIds)
  return { outcome: 'right', userId: credentials.id }
}

function attemptsOf(username: string | null, address: string | null): Attempt[] {
  return [
    ...(username === null ? [] : [{ ...limits.account, subject: username }]),
    ...(address === null ? [] : [{ ...limits.address, subject: address }]),
  ]
}

/** A user's id and password hash; null where there is no such user. */
async function findCredentials(
  db: Db,
  username: string,
): Promise<{ id: number; passwordHash: string } | null> {
  const [row] = await db.run((queries) =>
    queries
      .select({ id: users.id, passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.username, username)),
  )
  return row ?? null
}

/** Gives a user another password and ends all their sessions, which the old one may have opened. */
export async function changePassword(db: Db, userId: number, passwordHash: string): Promise<void> {
  await db.run((queries) =>
    queries.transaction(async (transaction) => {
      await transaction.update(users).set({ passwordHash }).where(eq(users.id, userId))
      await transaction.delete(sessions).where(eq(sessions.userId, userId))
    }),
  )
}
