import { type Attempt, releaseAttempts, reserveAttempts } from '../../data/attempts.ts'
import { findCredentials } from '../../data/users.ts'
import type { Db } from '../../database/db.ts'
import { verifyPassword } from './password-hash.ts'

const wrongPerAccountAndDay = 20
const wrongPerAddressAndHour = 20

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
  const account = { kind: 'sign_in_account', limit: wrongPerAccountAndDay } as const
  const origin = { kind: 'sign_in_address', limit: wrongPerAddressAndHour } as const
  return [
    ...(username === null ? [] : [{ ...account, subject: username }]),
    ...(address === null ? [] : [{ ...origin, subject: address }]),
  ]
}
