import { findUser } from '../../data/account/users.ts'
import { scopeToRead } from '../../data/targets.ts'
import type { Db } from '../../database/db.ts'
import { facets, facetsFrom, facetsOfMany } from '../../domain/feed/facets.ts'
import { scopeOf } from '../../domain/target.ts'
import { Problem } from '../../http/problem.ts'
import { type QueryParameters, readFacet } from '../../http/query-parameters.ts'
import { parseSearch, type SearchQuestion } from './question.ts'
import type { WordSearch } from './search.ts'

/** The question of `?q=` and facets of few values; null without `?q=`. Throws `bad_request` for what cannot be combined. */
export function readSearchQuestion(query: QueryParameters): SearchQuestion | null {
  const question = readQuestion(query)
  if (question === null) return null
  const ofMany = facetsOfMany.map((facet) => facets[facet])
  const other = ['user', 'target', ...ofMany.map(({ parameter }) => parameter)].find((name) => query[name])
  if (other !== undefined) {
    const keys = ofMany.map(({ key }) => `${key}:`).join(', ')
    const advice = `search for words, @user, a host and ${keys} in "q" itself.`
    throw new Problem('bad_request', `"${other}" cannot be combined with "q": ${advice}`)
  }
  const by = facetsFrom((facet) => {
    const typed = question.by[facet] ?? null
    const chosen = facets[facet].values === null ? null : readFacet(query, facet)
    if (typed === null || chosen === null || typed === chosen) return chosen ?? typed
    const { parameter, key } = facets[facet]
    const both = `"q" has ${key}:${typed}, and "${parameter}" is ${chosen}`
    throw new Problem('bad_request', `${both}: leave one of them out.`)
  })
  return { ...question, by }
}

function readQuestion({ q }: QueryParameters): SearchQuestion | null {
  if (q === undefined) return null
  const parsed = parseSearch(q)
  if (parsed?.outcome === 'refused') throw new Problem('bad_request', parsed.reason)
  return parsed?.question ?? null
}

/** The search for a question; null if it names a user that does not exist. */
export async function searchFor(db: Db, question: SearchQuestion): Promise<WordSearch | null> {
  const { words, phrases, without, username, target, by } = question
  const poster = username === null ? null : await findUser(db, username)
  if (username !== null && poster === null) return null
  const userId = poster?.user.id ?? null
  const asked = target === null ? null : scopeOf(target)
  const scope = asked === null || userId === null ? asked : await scopeToRead(db, { userId, scope: asked })
  return { words, phrases, without, userId, scope, by }
}
