import { sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { inMs, rowsOf } from '../../database/sql.ts'
import type { FeedFilter } from '../../domain/feed-event.ts'
import type { DeployedTarget } from '../../domain/overview.ts'
import { newestOf } from '../feed-part.ts'

/** Of how many deployments the targets are told. */
const lookedAt = 500
const most = 50

/** The targets of the newest deployments in a part of the feed, the latest first, and when each was. */
export async function latestTargets(db: Db, filter: FeedFilter): Promise<readonly DeployedTarget[]> {
  const rows = await db.read((queries) =>
    rowsOf<{ target: string; deployed_at_ms: number }>(
      queries,
      sql`
        select target, ${inMs(sql`max(deployed_at)`)} as deployed_at_ms
        from (${newestOf(filter, {}, lookedAt)}) deployments
        where target is not null group by target order by max(id) desc limit ${most}`,
    ),
  )
  return rows.map(({ target, deployed_at_ms }) => ({ target, deployedAt: new Date(deployed_at_ms) }))
}
