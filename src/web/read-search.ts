import { findUser } from '../data/account/users.ts'
import type { Db } from '../database/db.ts'
import type { Category } from '../domain/category.ts'
import type { Search } from '../domain/feed-event.ts'
import type { Question } from '../domain/search/question.ts'
import { scopeOf } from '../domain/target.ts'
import { Problem } from '../http/problem.ts'
import { readCategory, readQuestion } from '../http/query.ts'

type Query = Readonly<Record<string, string | undefined>>

/** The part of the feed that `?q=` and `?category=` name; null without a search. Throws what is wrong with them. */
export async function readSearch(db: Db, query: Query): Promise<Search | null> {
  const asked = readQuestion(query)
  if (asked === null) return null
  refuseBesideSearch(query)
  const search = await searchOf(db, asked, readCategory(query))
  if (search === null) throw new Problem('not_found', `Nobody here is @${asked.username}.`)
  return search
}

/** Refuses what a search says in itself, and what it cannot be combined with. */
export function refuseBesideSearch(query: Query): void {
  const other = ['user', 'target', 'env'].find((name) => query[name])
  if (other !== undefined) {
    throw new Problem(
      'bad_request',
      `"${other}" goes not with "q": search for words, @user and a host in "q" itself.`,
    )
  }
}

/** What a question asks of the feed; null if nobody has the username in it. */
export async function searchOf(
  db: Db,
  { words, username, target }: Question,
  category: Category | null,
): Promise<Search | null> {
  const poster = username === null ? null : await findUser(db, username)
  if (username !== null && poster === null) return null
  const scope = target === null ? null : scopeOf(target)
  return { words, category, scope, userId: poster?.user.id ?? null, environment: null }
}
