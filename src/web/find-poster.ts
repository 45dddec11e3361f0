import { findUser } from '../data/account/users.ts'
import type { Db } from '../database/db.ts'
import { Problem } from '../http/problem.ts'
import { usernameIn } from '../http/query.ts'

/** The user whom an address names. Throws `not_found` if there is none. */
export async function findPoster(db: Db, name: string | null) {
  const username = usernameIn(name)
  const found = username === null ? null : await findUser(db, username)
  if (found !== null) return found
  throw new Problem('not_found', 'Nobody here has this username, and no page has this address.')
}
