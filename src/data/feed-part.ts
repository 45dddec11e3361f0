import { eq, type SQL, sql } from 'drizzle-orm'
import type { FeedFilter } from '../domain/feed-event.ts'
import { deployments } from './schema.ts'

/** The conditions on the table of deployments that make a part of the feed. */
export function inPart({ userId, category, scope }: FeedFilter): SQL[] {
  return [
    ...(userId === null ? [] : [eq(deployments.userId, userId)]),
    ...(category === null ? [] : [eq(deployments.category, category)]),
    ...(scope === null ? [] : [sql`${scope} = any(${deployments.scopes})`]),
  ]
}
