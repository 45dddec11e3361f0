import type { Db } from '../database/db.ts'
import type { FeedFilter } from '../domain/feed-event.ts'
import { scopeOf } from '../domain/target.ts'
import { Problem } from '../http/problem.ts'
import { readCategory, readEnvironment, readTarget } from '../http/query.ts'
import { findPoster } from './find-poster.ts'
import { refuseBroad } from './refuse-broad.ts'

type Query = Readonly<Record<string, string | undefined>>

/** The part of the feed that `?user=`, `?category=`, `?target=` and `?env=` name. Throws what is wrong with them. */
export async function readFilter(db: Db, query: Query): Promise<FeedFilter> {
  if (query.q) throw new Problem('bad_request', 'Only lists can be searched with "q", not this stream.')
  const category = readCategory(query)
  const target = readTarget(query)
  const environment = readEnvironment(query)
  const poster = query.user ? await findPoster(db, query.user) : null
  const scope = target === null ? null : scopeOf(target)
  const filter = { category, scope, userId: poster?.user.id ?? null, environment }
  await refuseBroad(db, filter)
  return filter
}
