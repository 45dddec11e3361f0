import { isTooBroad } from '../data/feed-part.ts'
import type { Db } from '../database/db.ts'
import type { FeedFilter } from '../domain/feed-event.ts'
import { Problem } from '../http/problem.ts'

/**
 * Refuses a filter whose list would be an unbounded walk, by a `bad_request` that says what to ask instead.
 */
export async function refuseBroad(db: Db, filter: FeedFilter): Promise<void> {
  if (filter.category !== null && filter.environment !== null) {
    throw new Problem('bad_request', 'A list has one category or one environment: leave one of them out.')
  }
  if (!(await isTooBroad(db, filter))) return
  throw new Problem(
    'bad_request',
    filter.userId === null
      ? 'A target is one of a user: give "user", too.'
      : 'That covers too many targets. Ask for one of them, such as github.com/ada/engine.',
  )
}
