import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { ReportReason } from '../domain/abuse-report.ts'
import type { Category } from '../domain/category.ts'
import type { WebhookReach } from '../domain/webhook/address.ts'
import { id, instant, ownerId, users } from './account/schema.ts'

/** The rule of domain/target.ts by which the link was read; null for the first (upkeep/rereading.ts). */
const targetRule = () => smallint()

const number = () => bigint({ mode: 'number' })

/**
 * Whether a link has to be read again: the first rule read all links differently, and the second one those to a
 * repository's `.git`. Queries use exactly this text, so that Postgres finds the index.
 */
export const isUnread = sql`url is not null and (
  target_rule is null or target_rule < 3 and url ~* '([.]|%2e)(g|%[46]7)(i|%[46]9)(t|%[57]4)([^a-z0-9]|$)'
)`

/** Environments are compared by this, because lower() depends on the language of the database. */
export const environmentKeyColumn = sql`lower(environment collate "C")`

export const refusals = pgTable(
  'refusals',
  {
    id: id(),
    userId: ownerId(),
    status: integer().notNull(),
    reason: text().notNull(),
    source: text(),
    token: text(),
    refusedAt: instant().notNull(),
  },
  (t) => [index('refusals_user').on(t.userId, t.id)],
)

export const deployments = pgTable(
  'deployments',
  {
    id: id(),
    userId: ownerId(),
    message: text().notNull(),
    url: text(),
    category: text().$type<Category>(),
    environment: text(),
    version: text(),
    commit: text(),
    /** Every scope that it counts for, and that of its link's target (domain/target.ts). */
    scopes: text().array().notNull(),
    target: text(),
    targetRule: targetRule(),
    idempotencyKey: text(),
    /** The display name that the first answer carried: a replay has the same body after a rename. */
    postedAs: text(),
    hops: smallint(),
    /** The issuer, the repository and the workflow that the identity of a publisher proved; null for none. */
    verified: text().array(),
    /** The name of the token that announced it; null for a publisher, and in older rows. */
    token: text(),
    deployedAt: instant().notNull(),
  },
  (t) => [
    // Plain ascending: Postgres reads them backwards, and drizzle's desc() would not match an order by.
    // With the instant, so that rates and gaps are read from the index alone.
    index('deployments_user').on(t.userId, t.id, t.deployedAt),
    index('deployments_category').on(t.category, t.id).where(sql`${t.category} is not null`),
    index('deployments_user_category').on(t.userId, t.category, t.id).where(sql`${t.category} is not null`),
    index('deployments_target').on(t.userId, t.target, t.id).where(sql`${t.target} is not null`),
    index('deployments_target_category')
      .on(t.userId, t.target, t.category, t.id)
      .where(sql`${t.target} is not null and ${t.category} is not null`),
    index('deployments_unread').on(t.id).where(isUnread),
    index('deployments_environment').on(environmentKeyColumn, t.id).where(sql`${t.environment} is not null`),
    index('deployments_user_environment')
      .on(t.userId, environmentKeyColumn, t.id)
      .where(sql`${t.environment} is not null`),
    index('deployments_target_environment')
      .on(t.userId, t.target, environmentKeyColumn, t.id)
      .where(sql`${t.target} is not null and ${t.environment} is not null`),
    uniqueIndex('deployments_idempotency_key')
      .on(t.userId, t.idempotencyKey)
      .where(sql`${t.idempotencyKey} is not null`),
  ],
)

/** What readers reported of a deployment, until it is withdrawn or the operator dismisses it; see abuse-reports.ts. */
export const reports = pgTable(
  'reports',
  {
    id: id(),
    deploymentId: number()
      .notNull()
      .references(() => deployments.id, { onDelete: 'cascade' }),
    reason: text().$type<ReportReason>().notNull(),
    text: text(),
    reportedAt: instant().notNull().defaultNow(),
  },
  (t) => [index('reports_deployment').on(t.deploymentId)],
)

/** Withdrawn deployments, for readers who still show them. Their ids come from the deployments' sequence. */
export const withdrawals = pgTable(
  'withdrawals',
  {
    id: number().primaryKey(),
    deploymentId: number().notNull(),
    /** Its poster and time, because the rate limit still counts it. Rows from old dumps may lack both. */
    userId: number(),
    deployedAt: instant(),
  },
  (t) => [
    index('withdrawals_user').on(t.userId, t.deployedAt).where(sql`${t.userId} is not null`),
    index('withdrawals_of_user').on(t.userId, t.id).where(sql`${t.userId} is not null`),
  ],
)

/** The latest deployment of each scope: a badge is one probe of the key (docs/architecture.md#coalescing). */
export const latestDeployments = pgTable(
  'latest_deployments',
  {
    userId: ownerId(),
    scope: text().notNull(),
    deployedAt: instant().notNull(),
    /** Only version 1.0.0 reads it, by the index below. The release after this one drops both. */
    targetRule: targetRule(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.scope] }),
    index('latest_deployments_old_rule')
      .on(t.userId, t.scope)
      .where(sql`${t.targetRule} is null and ${t.scope} <> ''`),
  ],
)

/** How many deployments each user had on each UTC day, for the year of a profile. There is no row for 0. */
export const dailyDeployments = pgTable(
  'daily_deployments',
  { userId: ownerId(), day: date({ mode: 'string' }).notNull(), deployments: integer().notNull() },
  (t) => [
    primaryKey({ columns: [t.userId, t.day] }),
    // With the number, so that a year is read from the index alone, where its days lie together.
    index('daily_deployments_counted').on(t.userId, t.day, t.deployments),
  ],
)

/** The same for each target, counted by triggers. Rows go with their deployments, so they need no foreign key. */
export const targetDays = pgTable(
  'target_days',
  {
    userId: number().notNull(),
    target: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    deployments: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.target, t.day] })],
)

/** How many deployments from history each user added on the last UTC day on which they added any (import.ts). */
export const historyDays = pgTable('history_days', {
  userId: number()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  day: date({ mode: 'string' }).notNull(),
  added: integer().notNull(),
})

/** A random value, new at each change. With a foreign key, deleting a user by hand would fail in a trigger. */
export const userStamps = pgTable('user_stamps', { userId: number().primaryKey(), stamp: uuid().notNull() })

export const targets = pgTable(
  'targets',
  {
    userId: ownerId(),
    target: text().notNull(),
    deployedAt: instant().notNull(),
    targetRule: targetRule(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.target] }),
    index('targets_latest').on(t.userId, t.deployedAt),
    // Only version 1.0.0 reads it; the release after this one drops it.
    index('targets_old_rule').on(t.userId, t.target).where(sql`${t.targetRule} is null`),
  ],
)

export const targetScopes = pgTable(
  'target_scopes',
  { userId: ownerId(), scope: text().notNull(), target: text().notNull() },
  (t) => [primaryKey({ columns: [t.userId, t.scope, t.target] })],
)

/** The words of batches (domain/search/postings.ts). By page first, so that one walk finds a term in all batches. */
export const searchPages = pgTable(
  'search_pages',
  { page: text().notNull(), batch: integer().notNull(), lines: text().notNull() },
  (t) => [primaryKey({ columns: [t.page, t.batch] }), index('search_pages_batch').on(t.batch)],
)

/** The indexed batches, without a gap. The version tells which of two writers was first. */
export const searchBatches = pgTable('search_batches', {
  batch: integer().primaryKey(),
  version: integer().notNull(),
})

/** Batches with a deployment that was deleted or changed, until they are indexed again. Triggers add them. */
export const searchChanges = pgTable('search_changes', { id: id(), batch: integer().notNull() }, (t) => [
  index('search_changes_batch').on(t.batch),
])

/** One row: the settings of the service that started last, for commands. */
export const servedAt = pgTable('served_at', {
  isOnly: boolean().primaryKey().default(true),
  baseUrl: text().notNull(),
  proxySignsIn: boolean().notNull().default(false),
  webhooks: text().$type<WebhookReach>().notNull().default('off'),
  streamsMax: integer().notNull().default(10_000),
  backupEverySeconds: integer(),
})
