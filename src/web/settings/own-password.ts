import { checkPassword } from '../../data/account/credentials.ts'
import type { Visitor } from '../../data/account/sessions.ts'
import type { Db } from '../../database/db.ts'
import { waitInWords } from '../../domain/time.ts'

type Refusal = { readonly reason: string; readonly retryAfterSeconds?: number }

/** Why a password that was asked for in an open session is refused; null if it is the viewer's. */
export async function ownPasswordRefusal(
  db: Db,
  { viewer, sessionHash }: Visitor,
  password: string,
): Promise<Refusal | null> {
  const checked = await checkPassword(db, { username: viewer.username, password, from: { sessionHash } })
  if (checked.outcome === 'right') return null
  if (checked.outcome === 'wrong') return { reason: 'is not your password' }
  const { retryAfterSeconds } = checked
  return { reason: `was wrong too often. Try again in ${waitInWords(retryAfterSeconds)}`, retryAfterSeconds }
}
