import { findUser } from '../data/account/users.ts'
import type { Db } from '../database/db.ts'
import { Problem } from '../http/problem.ts'
import { usernameIn } from '../http/query.ts'

/** The user whom an address names. Throws `not_found` if there is none. */
export async function findPoster(db: Db, name: string | null) {
  return await findNamed(name, (username) => findUser(db, username))
}

/** What is found of the user whom an address names. Throws `not_found` if there is none. */
export async function findNamed<Found>(
  name: string | null,
  find: (username: string) => Promise<Found | null>,
): Promise<Found> {
  const username = usernameIn(name)
  const found = username === null ? null : await find(username)
  if (found !== null) return found
  throw new Problem('not_found', 'Nobody here has this username, and no page has this address.')
}
