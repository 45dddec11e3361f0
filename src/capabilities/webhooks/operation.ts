import { sql } from 'drizzle-orm'
import { allRows, oneRow } from '../../data/statements.ts'
import { type Db, type Queries, rowsOf } from '../../database/db.ts'
import { pausedByOperator, type WebhookFormat } from './rules.ts'

/** A webhook as the operator sees it. */
export type OperatedWebhook = {
  readonly id: number
  readonly username: string
  readonly url: string
  readonly format: WebhookFormat
  readonly pausedBecause: string | null
  /** Failed tries of the next event. */
  readonly attempts: number
  /** Null if none waits. */
  readonly waitingSeconds: number | null
  /** Whether a try has been due for more than a minute: no process sends to it. */
  readonly isOverdue: boolean
}

/** For the webhook `w`. Withdrawals do not count, because they have no instant. */
const waitingSeconds = sql`
  extract(epoch from now() - (
    select deployed_at from (
      select * from deployments where (user_id, id) > (w.user_id, w.position) order by user_id, id limit 1
    ) next where user_id = w.user_id
  ))::float8`

/** All webhooks, the oldest first. */
export async function listAllWebhooks(queries: Queries): Promise<readonly OperatedWebhook[]> {
  return await rowsOf<OperatedWebhook>(
    queries,
    sql`
      select *, "pausedBecause" is null and "waitingSeconds" > 60 and is_due as "isOverdue" from (
        select w.id, username, url, format, paused_because as "pausedBecause", attempts,
          ${waitingSeconds} as "waitingSeconds", next_try_at < now() - interval '1 minute' as is_due
        from webhooks w join users u on u.id = w.user_id
      ) w
      order by id`,
  )
}

type Waiting = { readonly waiting: number; readonly oldestSeconds: number }

/** How many webhooks wait, and how long at most among those that do not fail. */
export async function countWaiting(db: Db): Promise<Waiting> {
  const statement = sql`
    select count(*)::int as waiting,
      coalesce(max(case when attempts = 0 then ${waitingSeconds} end), 0) as "oldestSeconds"
    from webhooks w where position < last_event and paused_at is null`
  return await db.readPrimary(oneRow<Waiting>(statement))
}

type ChangedWebhook = Pick<OperatedWebhook, 'username' | 'url' | 'format' | 'pausedBecause'>

const pauseOrEnd = {
  pause: sql`
    update webhooks set paused_at = now(), paused_because = ${pausedByOperator}, claim = null
    where id in (select id from before)`,
  resume: sql`
    update webhooks set paused_at = null, paused_because = null, attempts = 0, claim = null, next_try_at = now()
    where id in (select id from before where "pausedBecause" = ${pausedByOperator})`,
}

/**
 * Pauses a webhook of any user, even one that is already paused, or ends a pause of the operator's. Returns the webhook
 * as it was before, or null if there is none.
 */
export async function changeForOperator(
  db: Db,
  id: number,
  change: keyof typeof pauseOrEnd,
): Promise<ChangedWebhook | null> {
  const statement = sql`
    with before as (
      select w.id, username, url, format, paused_because as "pausedBecause"
      from webhooks w join users u on u.id = w.user_id where w.id = ${id}::bigint for update of w
    ),
    changed as (${pauseOrEnd[change]})
    select * from before`
  const [changed] = await db.write(allRows<ChangedWebhook>(statement))
  return changed ?? null
}
