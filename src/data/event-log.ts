import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { share } from '../database/share.ts'
import { inMs, oneRowOf, rowsOf } from '../database/sql.ts'
import type { FeedEvent, FeedFilter } from '../domain/feed-event.ts'
import { type DeploymentRow, deploymentOf, releaseColumns } from './deployment-row.ts'
import { newestOf, oldestOf } from './feed-part.ts'

/** The events of the feed, for live/live-feed.ts to follow. */
export function eventLog(db: Db) {
  // A crowd that comes back has mostly seen the same: one statement for all who ask at this moment, and one drawing.
  const shareLatest = share(({ filter, ...after }: Latest) => readLatestEvents(db, filter, after))

  return {
    latestId: () => latestEventId(db),
    highestId: () => highestEventId(db),
    readAfter: (filter: FeedFilter, after: number, limit: number) =>
      readFirstEvents(db, filter, { after, limit }),
    readLatest: (filter: FeedFilter, after: number, limit: number) => shareLatest({ filter, after, limit }),
  }
}

/** The id of the last event, 0 if there is none. */
export const latestEvent = sql`
  greatest(
    0, (select max(id) from deployments), (select max(id) from withdrawals),
    (select max(event_id) from retired_usernames)
  )`

/** The same as a query of its own. */
async function latestEventId(db: Db): Promise<number> {
  const { id } = await db.run((queries) =>
    oneRowOf<{ id: string }>(queries, sql`select ${latestEvent} as id`),
  )
  return Number(id)
}

/** The highest id that was given to an event, even to one that is gone with its account. */
async function highestEventId(db: Db): Promise<number> {
  const { id } = await db.run((queries) =>
    oneRowOf<{ id: string }>(queries, sql`select last_value as id from deployments_id_seq`),
  )
  return Number(id)
}

type After = { readonly after: number; readonly limit: number }
type Latest = After & { readonly filter: FeedFilter }

/** The first events of a part of the feed after an id, the oldest first. Ids are in commit order: see lockFeed. */
async function readFirstEvents(
  db: Db,
  filter: FeedFilter,
  { after, limit }: After,
): Promise<readonly FeedEvent[]> {
  const announced = oldestOf(filter, { after }, limit)
  return await readEvents(db, { announced, after, limit, order: sql`asc` })
}

/** The last events of a part of the feed after an id, the oldest first. */
async function readLatestEvents(
  db: Db,
  filter: FeedFilter,
  { after, limit }: After,
): Promise<readonly FeedEvent[]> {
  const announced = newestOf(filter, { after }, limit)
  const events = await readEvents(db, { announced, after, limit, order: sql`desc` })
  return events.toReversed()
}

type Row = DeploymentRow & {
  readonly withdrawn_id: string | null
  readonly deleted_name: string | null
  readonly scopes: readonly string[]
}

type Reading = After & { readonly announced: SQL; readonly order: SQL }

/** One statement, so that all kinds are read at one instant: a skipped id would be skipped for ever. */
async function readEvents(
  db: Db,
  { announced, after, limit, order }: Reading,
): Promise<readonly FeedEvent[]> {
  const rows = await db.run((queries) =>
    rowsOf<Row>(
      queries,
      sql`
        select e.*, u.username, u.name
        from (
          (
            select id, null::bigint as withdrawn_id, null::text as deleted_name, user_id, message, url, category,
              ${releaseColumns},
              to_jsonb(scopes) as scopes, ${inMs(sql`deployed_at`)} as deployed_at_ms
            from (${announced}) deployments
          )
          union all
          (
            select id, deployment_id, null, null, null, null, null, null, null, null, null, null
            from withdrawals where id > ${after} order by id ${order} limit ${limit}
          )
          union all
          (
            select event_id, null, username, null, null, null, null, null, null, null, null, null
            from retired_usernames where event_id > ${after} order by event_id ${order} limit ${limit}
          )
          order by id ${order} limit ${limit}
        ) e
        -- Lateral and limited: a probe for each event, never a read of all users.
        left join lateral (select username, name from users where id = e.user_id limit 1) u on true
        order by e.id ${order}`,
    ),
  )
  return rows.map(eventOf)
}

function eventOf(row: Row): FeedEvent {
  const id = Number(row.id)
  if (row.withdrawn_id !== null) return { kind: 'withdrawn', id, deploymentId: Number(row.withdrawn_id) }
  if (row.deleted_name !== null) return { kind: 'account_deleted', id, username: row.deleted_name }
  return { kind: 'announced', id, scopes: row.scopes, deployment: deploymentOf(row) }
}
