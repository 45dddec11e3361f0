import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, ownerId } from '../../data/account/tables.ts'
import type { Category } from '../../domain/category.ts'
import type { WebhookFormat } from './rules.ts'

/** Addresses to which a user's events are sent (docs/decisions.md#webhooks), each from its own place in the log. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: id(),
    userId: ownerId(),
    url: text().notNull(),
    format: text().$type<WebhookFormat>().notNull(),
    /** Signs the messages, or is the token of the service. Not hashed, because HMAC needs it. */
    secret: text(),
    oldSecret: text(),
    oldSecretUntil: instant(),
    /** Scopes of domain/target.ts; empty for all, as in the next three columns. */
    targets: text().array().$type<readonly string[]>().notNull(),
    /** In the form of environmentKey. */
    environments: text().array().$type<readonly string[]>().notNull(),
    categories: text().array().$type<readonly Category[]>().notNull(),
    /** In the form of caselessKey of domain/field-parsing.ts. */
    actors: text().array().$type<readonly string[]>().notNull().default([]),
    withdrawals: boolean().notNull(),
    /** The last event that was sent, or that the filters left out. */
    position: bigint({ mode: 'number' }).notNull(),
    /** The last event that any process has seen. Above `position`, there is work. */
    lastEvent: bigint({ mode: 'number' }).notNull(),
    /** The earliest next try, which is also the end of a claim. */
    nextTryAt: instant().notNull().defaultNow(),
    /** The claim of a process that is sending. One that lost it writes nothing more. */
    claim: text(),
    /** Failed tries of the event after `position`. */
    attempts: integer().notNull().default(0),
    /** Whether the last try succeeded: others share a smaller part of the places. */
    isProven: boolean().notNull().default(false),
    pausedAt: instant(),
    pausedBecause: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('webhooks_user').on(t.userId, t.id),
    index('webhooks_waiting')
      .on(t.nextTryAt)
      .where(sql`${t.position} < ${t.lastEvent} and ${t.pausedAt} is null`),
  ],
)

export const deliveries = pgTable(
  'deliveries',
  {
    id: id(),
    webhookId: bigint({ mode: 'number' })
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The `webhook-id`, which is the same at each try. */
    messageId: text().notNull(),
    /** How many events it carried: chat messages join them. */
    events: integer().notNull(),
    body: text().notNull(),
    sentAt: instant().notNull().defaultNow(),
    tookMs: integer().notNull(),
    /** Null if there was no answer; `error` then says why. */
    status: integer(),
    error: text(),
    isTest: boolean().notNull(),
  },
  (t) => [index('deliveries_webhook').on(t.webhookId, t.id)],
)
