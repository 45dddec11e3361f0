import { sql } from 'drizzle-orm'
import { type DeploymentRow, deploymentOf, ownColumns, removalColumns } from '../../data/deployments.ts'
import { oldestOf } from '../../data/feed-pages.ts'
import { allRows, oneRow } from '../../data/statements.ts'
import { type Db, inMs, texts } from '../../database/db.ts'
import { wholeFeed } from '../../domain/feed/feed.ts'
import { joiningFormats } from './format-rules.ts'
import type { WebhookEvent } from './rules.ts'
import type { StoredWebhook } from './store.ts'

/** How long a first event waits for others that are joined with it in a chat message. */
const joinSeconds = 2

/** The next try of the webhook `w` when its first event is noted. */
export const nextTryOfNews = sql`
  case when w.position >= w.last_event and w.claim is null and w.format = any(${texts(joiningFormats)})
  then greatest(w.next_try_at, now() + make_interval(secs => ${joinSeconds})) else w.next_try_at end`

/** The highest id of any event so far. A subquery, because an update cannot lock a sequence. */
export const highest = sql`(select last_value from deployments_id_seq)`

/**
 * Notes the last event after an id in the webhooks of its user. Gives the last id, whether any has news, and whether
 * ids went backwards since.
 */
export async function noteEvents(db: Db, after: number) {
  const statement = sql`
    with seen as (
      select user_id, max(id) as id from (
        (select user_id, id from deployments where id > ${after})
        union all
        (select user_id, id from withdrawals where id > ${after})
      ) e group by user_id
    ),
    -- Locked in this order, so that no two processes wait for each other.
    news as (
      select w.id, s.id as event from webhooks w join seen s on s.user_id = w.user_id
      where w.last_event < s.id order by w.id for update of w
    ),
    noted as (
      update webhooks w set last_event = n.event, next_try_at = ${nextTryOfNews}
      from news n where w.id = n.id and w.last_event < n.event
      returning 1
    )
    select greatest(${after}::bigint, (select max(id) from seen)) as position,
      exists (select from noted) as "hasNews", ${highest} < ${after}::bigint as "isSetBack"`
  return await db.write(oneRow<{ position: number; hasNews: boolean; isSetBack: boolean }>(statement))
}

type EventRow = DeploymentRow & {
  readonly withdrawn_id: number | null
  readonly scopes: readonly string[]
  readonly hops: number | null
}

/** The first events of a webhook's owner after its position, the oldest first. */
export async function readEvents(
  db: Db,
  { userId, position }: Pick<StoredWebhook, 'userId' | 'position'>,
  limit: number,
): Promise<readonly WebhookEvent[]> {
  const statement = sql`
    select e.*, u.username, u.name from (
      (
        select ${ownColumns}, user_id, to_jsonb(scopes) as scopes, hops, null::bigint as withdrawn_id
        from (${oldestOf({ ...wholeFeed, userId }, { after: position }, limit)}) deployments
      )
      union all
      (
        select ${removalColumns(sql`id`, inMs(sql`deployed_at`))}, user_id, null, null, deployment_id
        from (
          select * from withdrawals
          where (user_id, id) > (${userId}::bigint, ${position}::bigint) and user_id is not null
          order by user_id, id limit ${limit}
        ) withdrawals
        where user_id = ${userId}::bigint
      )
      order by id limit ${limit}
    ) e
    join users u on u.id = ${userId}::bigint
    order by e.id`
  const rows = await db.readPrimary(allRows<EventRow>(statement))
  return rows.map((row) => {
    const { id, withdrawn_id, deployed_at_ms, username, scopes, hops } = row
    if (withdrawn_id !== null) {
      const deployedAt = deployed_at_ms === null ? null : new Date(deployed_at_ms)
      return { kind: 'withdrawn', id, deploymentId: withdrawn_id, deployedAt, username }
    }
    return { kind: 'announced', id, deployment: deploymentOf(row), scopes, hops: hops ?? 0 }
  })
}
