import { type SQL, sql } from 'drizzle-orm'
import { newestIn } from '../../../data/feed-pages.ts'
import { allRows, latestEvent } from '../../../data/statements.ts'
import { type Db, inMs, oneRowOf } from '../../../database/db.ts'
import { facetLists } from '../../../domain/feed/facets.ts'
import { highest, nextTryOfNews } from '../events.ts'
import { instantOf, keptDeliveries, type WebhookEvent, type WebhookFilter } from '../rules.ts'
import type { StoredDelivery, StoredWebhook } from '../store.ts'

/** A webhook that one process may send to until its claim ends. `oldSecret` is null once it has expired. */
export type Claimed = WebhookFilter &
  Pick<StoredWebhook, 'id' | 'userId' | 'url' | 'format' | 'secret' | 'oldSecret'> &
  Pick<StoredWebhook, 'position' | 'lastEvent' | 'attempts' | 'isProven'> & { readonly claim: string }

export type SentMessage = Omit<StoredDelivery, 'id' | 'webhookId' | 'sentAt'>

export type WebhookProgress = {
  readonly position: number
  readonly attempts: number
  /** Null if nothing was sent. */
  readonly isProven: boolean | null
  /** Null if this process goes on; otherwise any process may take over after this time. */
  readonly nextInMs: number | null
  readonly pausedBecause: string | null
  readonly sent: SentMessage | null
}

/** A process that is sending loses its claim after this time; a try takes 10 s at most. */
const claimSeconds = 30

/** Messages in flight. */
const places = 20
/** Of these, for webhooks whose last message was delivered, and for all others: failing addresses leave room. */
const placesOf = { proven: 18, others: 10 } as const
/** Of each kind, for one account: others have room next to some whose receivers hang. */
const placesOfAccount = { proven: 9, others: 3 } as const

/** The newest announcement that may have been sent: after ids went backwards, later ones have ids of others. */
const lastSent = sql`
  coalesce((
    select id from deployments where user_id = w.user_id and id > 0 and deployed_at <= greatest(
      w.created_at, (select max(sent_at) from deliveries where webhook_id = w.id and not is_test)
    )
    order by user_id desc, id desc limit 1
  ), 0)`

/** Whether the clock was put back after the next try was set: no claim is that long, or the last try is to come. */
const isMistimed = sql`
  w.next_try_at > now() + make_interval(secs => ${claimSeconds + 1}) and (
    w.attempts = 0
    or (select sent_at from deliveries where webhook_id = w.id order by webhook_id desc, id desc limit 1) > now()
  )`

/** Finds events that no process has noted, positions above ids that went backwards, and times of another clock. */
export async function catchUp(db: Db) {
  return await db.write(async (queries) => {
    const found = await oneRowOf<{ position: number; hasWebhooks: boolean }>(
      queries,
      sql`select exists (select from webhooks) as "hasWebhooks", ${latestEvent} as position`,
    )
    if (found.hasWebhooks) {
      await queries.execute(sql`
          update webhooks w
          set last_event = least(greatest(w.last_event, e.last), ${highest}),
            position = case when w.position > ${highest} then ${lastSent} else w.position end,
            next_try_at = case when ${isMistimed} then now() else ${nextTryOfNews} end
          from (
            select o.id, greatest(
              (${newestIn({ userId: sql`o.user_id` }, 1, sql`id`)}),
              (select id from withdrawals where user_id = o.user_id order by user_id desc, id desc limit 1)
            ) as last
            from webhooks o
          ) e
          where w.id = e.id and (w.last_event < e.last or w.position > ${highest} or (${isMistimed}))`)
    }
    return found
  })
}

/** The lists of a filter, as JSON, because the drivers read arrays differently. */
const lists = ['targets', ...facetLists].map((list) => `to_jsonb(${list}) as ${list}`)

/**
 * Claims webhooks that are due, in addition to those under way. Those that have waited longest come first, and no account
 * gets more than its share.
 */
export async function claimWebhooks(db: Db, underWay: readonly Claimed[]): Promise<readonly Claimed[]> {
  const free = places - underWay.length
  if (free === 0) return []
  const proven = Math.min(free, placesOf.proven - underWay.filter(({ isProven }) => isProven).length)
  const others = placesOf.others - underWay.filter(({ isProven }) => !isProven).length
  const known = underWay.map(({ userId, isProven }) => ({ userId, isProven }))
  const isWaiting = sql`position < last_event and paused_at is null and next_try_at <= now()`
  const statement = sql`
    with waiting as (
      select id, w.is_proven, attempts > 0 as has_failed, next_try_at,
        row_number() over (partition by w.user_id, w.is_proven order by attempts > 0, next_try_at) + (
          select count(*) from jsonb_to_recordset(${JSON.stringify(known)}::jsonb)
            as u("userId" bigint, "isProven" boolean)
          where u."userId" = w.user_id and u."isProven" = w.is_proven
        ) as nth
      from webhooks w where ${isWaiting}
    ),
    due as (
      select id from webhooks
      where ${isWaiting} and id = any(array(
        select id from waiting where is_proven and nth <= ${placesOfAccount.proven}::int
        order by next_try_at limit ${proven}::int
      ))
      for update skip locked
    ),
    other as (
      select id from webhooks
      where ${isWaiting} and id = any(array(
        select id from waiting where not is_proven and nth <= ${placesOfAccount.others}::int
        -- What has failed waits behind what has not.
        order by has_failed, next_try_at limit least(${others}::int, ${free}::int - (select count(*) from due))
      ))
      for update skip locked
    )
    update webhooks
    set claim = ${crypto.randomUUID()}, next_try_at = now() + make_interval(secs => ${claimSeconds})
    where id in (select id from due union all select id from other)
    returning id, user_id as "userId", url, format, secret,
      case when old_secret_until > now() then old_secret end as "oldSecret",
      ${sql.raw(lists.join(', '))}, withdrawals, position, last_event as "lastEvent", attempts, is_proven as "isProven", claim`
  return await db.write(allRows<Claimed>(statement))
}

/**
 * Saves progress and the message, and gives the ids of the events that were read and wait, but are withdrawn by now.
 * Null, and nothing is written, if the claim was lost, the webhook paused, or ids went backwards: then events that were
 * not read have the ids of some that were.
 */
export async function saveProgress(
  db: Db,
  { id, userId, claim, position: from }: Pick<Claimed, 'id' | 'userId' | 'claim' | 'position'>,
  { position, attempts, isProven, nextInMs, pausedBecause, sent }: WebhookProgress,
  read: readonly WebhookEvent[],
): Promise<readonly number[] | null> {
  const known = read.map((event) => ({
    id: event.id,
    kind: event.kind,
    ms: instantOf(event)?.getTime() ?? null,
  }))
  const isReleased = nextInMs !== null
  const next = isReleased ? sql`${nextInMs}::float8 / 1000` : sql`${claimSeconds}`
  const isKnown = sql`k.id = e.id and k.ms is not distinct from floor(${inMs(sql`e.deployed_at`)})`
  const passed = sql`user_id = ${userId}::bigint and id > ${from}::bigint and id <= ${position}::bigint`
  const statement = sql`
    with known as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as k(id bigint, kind text, ms float8)
    ),
    passed as materialized (
      select id, deployed_at from deployments where ${passed}
      union all
      select id, deployed_at from withdrawals where ${passed}
    ),
    saved as (
      update webhooks set
        position = ${position}::bigint, attempts = ${attempts}::int,
        is_proven = coalesce(${isProven}::boolean, is_proven),
        next_try_at = now() + make_interval(secs => ${next}),
        claim = case when ${isReleased}::boolean then null else claim end,
        paused_at = case when ${pausedBecause}::text is null then paused_at else now() end,
        paused_because = ${pausedBecause}::text
      where id = ${id} and claim = ${claim} and paused_at is null
        and position = ${from}::bigint and ${position}::bigint <= ${highest}
        and not exists (select from passed e where not exists (select from known k where ${isKnown}))
      returning id
    )${sent === null ? sql`` : sql`, ${keep(sent, sql`(select id from saved)`)}`}
    select (
      select coalesce(json_agg(k.id), '[]') from known k
      where k.kind = 'announced' and k.id > ${position}::bigint
        and not exists (select from deployments e where ${isKnown})
    ) as gone
    from saved`
  const [saved] = await db.write(allRows<{ gone: readonly number[] }>(statement))
  return saved?.gone ?? null
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

/** Keeps a message that the owner sent by hand. */
export async function keepDelivery(db: Db, webhookId: number, sent: SentMessage): Promise<void> {
  const statement = sql`with ${keep(sent, sql`${webhookId}::bigint`)} select 1`
  await db.write(allRows(statement))
}
