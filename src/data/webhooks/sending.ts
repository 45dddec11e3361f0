import { type SQL, sql } from 'drizzle-orm'
import { type Db, oneRowOf } from '../../database/db.ts'
import {
  type Claimed,
  keptDeliveries,
  type Places,
  type SentMessage,
  type WebhookProgress,
} from '../../domain/webhook/webhook.ts'
import { newestIn } from '../feed-pages.ts'
import { allRows, changesAny, latestEvent } from '../statements.ts'
import { nextTryOfNews, noteEvents, readEvents } from './events.ts'

/** A process that is sending loses its claim after this time; a try takes 10 s at most. */
const claimSeconds = 30

/** The webhooks as outbound/webhooks/dispatcher.ts works on them. All throw Unavailable. */
export function webhookStore(db: Db) {
  return {
    catchUp: () => catchUp(db),
    noteEvents: (after: number) => noteEvents(db, after),
    claim: (claim: string, places: Places) => claimSome(db, claim, places),
    readEvents: (webhook: Claimed, limit: number) => readEvents(db, webhook, limit),
    save: (webhook: Claimed, progress: WebhookProgress) => save(db, webhook, progress),
  }
}

/** The highest id of any event so far. A subquery, because an update cannot lock a sequence. */
const highest = sql`(select last_value from deployments_id_seq)`

/** Finds events that no process has noted, and positions above ids that went backwards in a failover. */
async function catchUp(db: Db): Promise<{ readonly position: number; readonly hasWebhooks: boolean }> {
  return await db.write(async (queries) => {
    const found = await oneRowOf<{ position: number; hasWebhooks: boolean }>(
      queries,
      sql`select exists (select from webhooks) as "hasWebhooks", ${latestEvent} as position`,
    )
    if (found.hasWebhooks) {
      await queries.execute(sql`
          update webhooks w
          set last_event = least(greatest(w.last_event, e.last), ${highest}), position = least(w.position, ${highest}),
            next_try_at = ${nextTryOfNews}
          from (
            select o.id, greatest(
              (${newestIn({ userId: sql`o.user_id` }, 1, sql`id`)}),
              (select id from withdrawals where user_id = o.user_id order by user_id desc, id desc limit 1)
            ) as last
            from webhooks o
          ) e
          where w.id = e.id and (w.last_event < e.last or w.position > ${highest})`)
    }
    return found
  })
}

/** Claims due webhooks, those that wait the longest first. */
async function claimSome(db: Db, claim: string, { free, proven, others }: Places) {
  const waiting = sql`position < last_event and paused_at is null and next_try_at <= now()`
  const statement = sql`
    with due as (
      (select id from webhooks where ${waiting} and is_proven
        order by next_try_at limit ${Math.min(free, proven)}::int for update skip locked)
    ),
    other as (
      (select id from webhooks where ${waiting} and not is_proven
        order by next_try_at limit least(${others}::int, ${free}::int - (select count(*) from due))
        for update skip locked)
    )
    update webhooks
    set claim = ${claim}, next_try_at = now() + make_interval(secs => ${claimSeconds})
    where id in (select id from due union all select id from other)
    returning id, user_id as "userId", url, format, secret,
      case when old_secret_until > now() then old_secret end as "oldSecret",
      to_jsonb(targets) as targets, to_jsonb(environments) as environments, to_jsonb(categories) as categories,
      withdrawals, position, last_event as "lastEvent", attempts, is_proven as "isProven", claim`
  return await db.write(allRows<Claimed>(statement))
}

/**
 * Saves progress and the message. False, and nothing is written, if the claim was lost or the webhook paused.
 */
async function save(
  db: Db,
  { id, claim }: Pick<Claimed, 'id' | 'claim'>,
  { position, attempts, isProven, nextInMs, pausedBecause, sent }: WebhookProgress,
): Promise<boolean> {
  const isReleased = nextInMs !== null
  const next = isReleased ? sql`${nextInMs}::float8 / 1000` : sql`${claimSeconds}`
  const saved = sql`
    update webhooks set
      position = ${position}::bigint, attempts = ${attempts}::int,
      is_proven = coalesce(${isProven}::boolean, is_proven),
      next_try_at = now() + make_interval(secs => ${next}),
      claim = case when ${isReleased}::boolean then null else claim end,
      paused_at = case when ${pausedBecause}::text is null then paused_at else now() end,
      paused_because = ${pausedBecause}::text
    where id = ${id} and claim = ${claim} and paused_at is null
    returning id`
  const statement =
    sent === null
      ? saved
      : sql`with saved as (${saved}), ${keep(sent, sql`(select id from saved)`)} select id from saved`
  return await changesAny(db, allRows(statement))
}

/** Parts of a statement that keep a delivery if there is such a webhook, and delete its oldest ones. */
function keep({ messageId, events, body, status, error, tookMs, isTest }: SentMessage, webhookId: SQL): SQL {
  return sql`
    kept as (
      insert into deliveries (webhook_id, message_id, events, body, took_ms, status, error, is_test)
      select w.id, ${messageId}, ${events}::int, ${body}, ${tookMs}::int, ${status}::int, ${error}::text, ${isTest}::boolean
      from webhooks w where w.id = ${webhookId}
    ),
    forgotten as (
      delete from deliveries where id in (
        select id from deliveries where webhook_id = ${webhookId} order by webhook_id desc, id desc
        offset ${keptDeliveries - 1}::int
      )
    )`
}

/** Keeps a message that the owner sent by hand. Throws Unavailable. */
export async function keepDelivery(db: Db, webhookId: number, sent: SentMessage): Promise<void> {
  const statement = sql`with ${keep(sent, sql`${webhookId}::bigint`)} select 1`
  await db.write(allRows(statement))
}
