import { sql } from 'drizzle-orm'
import { newestOf, newestOfEach } from '../../data/feed-pages.ts'
import { allRows } from '../../data/statements.ts'
import { type Db, inMs } from '../../database/db.ts'
import type { FeedFilter } from '../../domain/feed/feed.ts'
import type { DeployedTarget } from '../../domain/statistics/overview.ts'

/** The last targets of the newest 500 deployments or of a scope, and when they were deployed to. */
export async function latestTargets(db: Db, filter: FeedFilter): Promise<readonly DeployedTarget[]> {
  const newest = filter.scope === null ? newestOf(filter, { after: 0 }, 500) : newestOfEach(filter, 0)
  const statement = sql`
    select target, ${inMs(sql`max(deployed_at)`)} as deployed_at_ms from (${newest}) deployments
    where target is not null group by target order by max(id) desc limit 50`
  const rows = await db.read(allRows<{ target: string; deployed_at_ms: number }>(statement))
  return rows.map(({ target, deployed_at_ms }) => ({ target, deployedAt: new Date(deployed_at_ms) }))
}
