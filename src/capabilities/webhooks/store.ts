import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import {
  type Added,
  addOwned,
  changeOwned,
  deleteOwned,
  isOwned,
  type Owned,
} from '../../data/account/owned.ts'
import { latestEvent } from '../../data/statements.ts'
import type { Db } from '../../database/db.ts'
import { keptDeliveries, maxWebhooks, oldSecretHours, pausedByOperator, type WebhookFilter } from './rules.ts'
import { deliveries, webhooks } from './tables.ts'

export type StoredWebhook = typeof webhooks.$inferSelect
export type StoredDelivery = typeof deliveries.$inferSelect

export type NewWebhook = WebhookFilter & Pick<StoredWebhook, 'url' | 'format' | 'secret'>

/** The webhooks of a user, the oldest first. */
export async function listWebhooks(db: Db, userId: number): Promise<readonly StoredWebhook[]> {
  return await db.readPrimary((queries) =>
    queries.select().from(webhooks).where(eq(webhooks.userId, userId)).orderBy(asc(webhooks.id)),
  )
}

/** A webhook of a user; null if there is none. */
export async function findWebhook(db: Db, of: Owned): Promise<StoredWebhook | null> {
  const [found] = await db.readPrimary((queries) =>
    queries.select().from(webhooks).where(isOwned(webhooks, of)),
  )
  return found ?? null
}

/** The last deliveries of a user's webhook, the newest first. */
export async function listDeliveries(db: Db, of: Owned): Promise<readonly StoredDelivery[]> {
  return await db.readPrimary((queries) =>
    queries
      .select(getTableColumns(deliveries))
      .from(deliveries)
      .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
      .where(isOwned(webhooks, of))
      .orderBy(desc(deliveries.id))
      .limit(keptDeliveries),
  )
}

/** Adds a webhook that begins after the last event. */
export async function addWebhook(db: Db, userId: number, webhook: NewWebhook): Promise<Added<StoredWebhook>> {
  const start = { position: latestEvent, lastEvent: latestEvent }
  return await addOwned(db, webhooks, { ...webhook, ...start, userId }, { max: maxWebhooks })
}

/** Pauses a user's webhook. False if there is none that the user may change. */
export async function pauseWebhook(db: Db, of: Owned): Promise<boolean> {
  const paused = { pausedAt: sql`now()`, pausedBecause: 'you paused it', claim: null }
  return await changeOwned(db, webhooks, of, paused, isChangeable)
}

/** Lets a paused webhook go on, where it stopped or with new events. False if there is none that they may change. */
export async function resumeWebhook(db: Db, of: Owned, from: 'here' | 'where_it_stopped'): Promise<boolean> {
  const position = from === 'here' ? { position: latestEvent } : {}
  const start = { pausedAt: null, pausedBecause: null, attempts: 0, claim: null, nextTryAt: sql`now()` }
  return await changeOwned(db, webhooks, of, { ...start, ...position }, isChangeable)
}

/** Replaces the secret of a `standard` webhook; the old one signs too for a day. False if there is none. */
export async function rollWebhookSecret(db: Db, of: Owned, secret: string): Promise<boolean> {
  const oldSecretUntil = sql`now() + make_interval(hours => ${oldSecretHours})`
  const isStandard = eq(webhooks.format, 'standard')
  const values = { secret, oldSecret: sql`${webhooks.secret}`, oldSecretUntil }
  return await changeOwned(db, webhooks, of, values, isStandard)
}

/** Deletes a user's webhook with its deliveries. False if there is none that the user may change. */
export async function deleteWebhook(db: Db, of: Owned): Promise<boolean> {
  return await deleteOwned(db, webhooks, of, isChangeable)
}

/** The operator has not paused it. */
const isChangeable = sql`${webhooks.pausedBecause} is distinct from ${pausedByOperator}`
