import { type SQL, sql } from 'drizzle-orm'
import { share } from '../database/batch.ts'
import type { Db, Lane } from '../database/db.ts'
import { feedSequence } from '../database/locks.ts'
import type { FeedEvent, FeedFilter } from '../domain/feed/feed.ts'
import { deploymentOf, type FoundRow, ownColumns, removalColumns } from './deployments.ts'
import { newestOf, oldestOf } from './feed-pages.ts'
import { allRows, latestEventText, oneValue } from './statements.ts'

type EventLimits = { readonly deployments: number; readonly removals: number }
type Latest = { readonly filter: FeedFilter; readonly after: number; readonly limits: EventLimits }

/** The events that live/live-feed.ts follows (docs/architecture.md#event-log). */
export function eventLog(db: Db) {
  const readId = share((id: string) =>
    db.readPrimary(oneValue<number>(sql`select ${sql.raw(id)} as id`), 'reserved'),
  )
  // Browsers that return together have mostly seen the same events, so they share one read and rendering.
  const shareLatest = share((latest: Latest) => readLatestEvents(db, latest))

  return {
    latestId: () => readId(latestEventText),
    /** The highest id that an event ever had, even one that was deleted with its account. */
    highestId: () => readId(`(select last_value from ${feedSequence})`),
    /** `lane` is `shared` for reads that are as many as their readers. */
    readAfter: (filter: FeedFilter, after: number, limit: number, lane: Lane = 'reserved') =>
      readFirstEvents(db, filter, { after, limit, lane }),
    readLatest: (filter: FeedFilter, after: number, limits: EventLimits) =>
      shareLatest({ filter, after, limits }),
  }
}

type First = { readonly after: number; readonly limit: number; readonly lane: Lane }

/** The first events of a part after an id, the oldest first. Ids are in commit order: see lockFeed. */
async function readFirstEvents(db: Db, filter: FeedFilter, first: First): Promise<readonly FeedEvent[]> {
  const announced = oldestOf(filter, first, first.limit)
  return await readEvents(db, { ...first, announced, removals: first.limit, order: sql`asc` })
}

/** The last events of a part of the feed after an id, the oldest first, with a limit for each kind. */
async function readLatestEvents(db: Db, { filter, after, limits }: Latest): Promise<readonly FeedEvent[]> {
  const announced = newestOf(filter, { after }, limits.deployments)
  // Deletions of accounts are rarer than withdrawals and share their limit.
  const { removals } = limits
  const limit = limits.deployments + removals
  const events = await readEvents(db, { announced, after, limit, removals, order: sql`desc`, lane: 'shared' })
  return events.toReversed()
}

type Row = FoundRow & { readonly withdrawn_id: number | null; readonly deleted_name: string | null }

type EventQuery = First & { readonly announced: SQL; readonly removals: number; readonly order: SQL }

/** One statement reads all kinds at one instant, because an event that is skipped once is never sent. */
async function readEvents(db: Db, query: EventQuery): Promise<readonly FeedEvent[]> {
  const { announced, after, limit, removals, order, lane } = query
  const statement = sql`
    select e.*, u.username, u.name, to_jsonb(u.environment_order) as environment_order
    from (
      (
        select ${ownColumns}, user_id, to_jsonb(scopes) as scopes, null::bigint as withdrawn_id, null::text as deleted_name
        from (${announced}) deployments
      )
      union all
      (
        select ${removalColumns(sql`id`)}, null, null, deployment_id, null
        from withdrawals where id > ${after} order by id ${order} limit ${removals}
      )
      union all
      (
        select ${removalColumns(sql`event_id`)}, null, null, null, username
        from retired_usernames where event_id > ${after} order by event_id ${order} limit ${removals}
      )
      order by id ${order} limit ${limit}
    ) e
    -- Lateral and limited, so that this is a probe for each event and never a read of all users.
    left join lateral (
      select username, name, environment_order from users where id = e.user_id limit 1
    ) u on true
    order by e.id ${order}`
  const rows = await db.readPrimary(allRows<Row>(statement), lane)
  return rows.map(eventOf)
}

function eventOf(row: Row): FeedEvent {
  const { id } = row
  if (row.withdrawn_id !== null) return { kind: 'withdrawn', id, deploymentId: row.withdrawn_id }
  if (row.deleted_name !== null) return { kind: 'account_deleted', id, username: row.deleted_name }
  return { kind: 'announced', id, scopes: row.scopes, deployment: deploymentOf(row) }
}
