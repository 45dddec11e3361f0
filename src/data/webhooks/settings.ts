import { and, asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Queries } from '../../database/db.ts'
import {
  keptDeliveries,
  mostWebhooks,
  oldSecretHours,
  pausedByOperator,
  type WebhookFilter,
  type WebhookFormat,
} from '../../domain/webhook/webhook.ts'
import { addToAccount } from '../account/users.ts'
import { changesAny, latestEvent } from '../statements.ts'
import { deliveries, webhooks } from './schema.ts'

export type StoredWebhook = typeof webhooks.$inferSelect
export type StoredDelivery = typeof deliveries.$inferSelect

export type NewWebhook = WebhookFilter & {
  readonly url: string
  readonly format: WebhookFormat
  readonly secret: string | null
}

/** The webhooks of a user, the oldest first. */
export async function listWebhooks(db: Db, userId: number): Promise<readonly StoredWebhook[]> {
  return await db.readPrimary((queries) =>
    queries.select().from(webhooks).where(eq(webhooks.userId, userId)).orderBy(asc(webhooks.id)),
  )
}

/** A webhook of a user; null if there is none. */
export async function findWebhook(db: Db, userId: number, id: number): Promise<StoredWebhook | null> {
  const [found] = await db.readPrimary((queries) => queries.select().from(webhooks).where(ofUser(userId, id)))
  return found ?? null
}

/** The last deliveries of a user's webhook, the newest first. */
export async function listDeliveries(
  db: Db,
  userId: number,
  webhookId: number,
): Promise<readonly StoredDelivery[]> {
  return await db.readPrimary((queries) =>
    queries
      .select(getTableColumns(deliveries))
      .from(deliveries)
      .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
      .where(ofUser(userId, webhookId))
      .orderBy(desc(deliveries.id))
      .limit(keptDeliveries),
  )
}

/** Adds a webhook that begins after the last event. */
export async function addWebhook(
  db: Db,
  userId: number,
  { url, format, secret, targets, environments, categories, withdrawals }: NewWebhook,
): Promise<{ readonly outcome: 'added'; readonly id: number } | { readonly outcome: 'full' | 'gone' }> {
  const filter = { targets, environments, categories, withdrawals }
  return await addToAccount(db, userId, async (transaction) => {
    const found = await transaction.$count(webhooks, eq(webhooks.userId, userId))
    if (found >= mostWebhooks) return { outcome: 'full' }
    const [added] = await transaction
      .insert(webhooks)
      .values({ url, format, secret, ...filter, userId, position: latestEvent, lastEvent: latestEvent })
      .returning(ids)
    return added === undefined ? { outcome: 'gone' } : { outcome: 'added', id: added.id }
  })
}

/** Changes the filter of a user's webhook, from its next event on. False if there is none. */
export async function filterWebhook(
  db: Db,
  userId: number,
  id: number,
  { targets, environments, categories, withdrawals }: WebhookFilter,
): Promise<boolean> {
  return await update(db, ofUser(userId, id), { targets, environments, categories, withdrawals })
}

/** Pauses a user's webhook. False if there is none that the user may change. */
export async function pauseWebhook(db: Db, userId: number, id: number): Promise<boolean> {
  return await update(db, changeable(userId, id), paused('you paused it'))
}

/**
 * Lets a paused webhook go on, where it stopped or with new events. False if there is none that the user may change.
 */
export async function resumeWebhook(
  db: Db,
  userId: number,
  id: number,
  from: 'here' | 'where_it_stopped',
): Promise<boolean> {
  const position = from === 'here' ? { position: latestEvent } : {}
  const start = { pausedAt: null, pausedBecause: null, attempts: 0, claim: null, nextTryAt: sql`now()` }
  return await update(db, changeable(userId, id), { ...start, ...position })
}

/** Replaces the secret of a `standard` webhook; the old one signs too for a day. False if there is none. */
export async function rollWebhookSecret(
  db: Db,
  userId: number,
  id: number,
  secret: string,
): Promise<boolean> {
  const oldSecretUntil = sql`now() + make_interval(hours => ${oldSecretHours})`
  const isStandard = eq(webhooks.format, 'standard')
  const values = { secret, oldSecret: sql`${webhooks.secret}`, oldSecretUntil }
  return await update(db, and(ofUser(userId, id), isStandard), values)
}

async function update(
  db: Db,
  chosen: SQL | undefined,
  values: PgUpdateSetSource<typeof webhooks>,
): Promise<boolean> {
  return await changesAny(db, (queries) => queries.update(webhooks).set(values).where(chosen).returning(ids))
}

/** Deletes a user's webhook with its deliveries. False if there is none that the user may change. */
export async function deleteWebhook(db: Db, userId: number, id: number): Promise<boolean> {
  return await changesAny(db, (queries) =>
    queries.delete(webhooks).where(changeable(userId, id)).returning(ids),
  )
}

/** Pauses all webhooks that are not paused. */
export async function pauseWebhooks(queries: Queries, because: string): Promise<void> {
  await queries.update(webhooks).set(paused(because)).where(sql`${webhooks.pausedAt} is null`)
}

const ids = { id: webhooks.id }

const paused = (because: string) => ({ pausedAt: sql`now()`, pausedBecause: because, claim: null })

function ofUser(userId: number, id: number): SQL | undefined {
  return and(eq(webhooks.userId, userId), eq(webhooks.id, id))
}

/** Of a user, and not paused by the operator. */
function changeable(userId: number, id: number): SQL | undefined {
  return and(ofUser(userId, id), sql`${webhooks.pausedBecause} is distinct from ${pausedByOperator}`)
}
