import { sql } from 'drizzle-orm'
import {
  bigint,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Category } from '../domain/category.ts'
import { id, instant, ownerId } from './account/schema.ts'

/** By which rule of domain/target.ts the link was read; null by the first one: see upkeep/rereading.ts. */
const targetRule = () => smallint()

/** What environments are compared by, whatever the language of the database: a Turkish one has another lower(). */
export const environmentKeyColumn = sql`lower(environment collate "C")`

/** The last calls with a user's token that were refused; see refusals.ts. */
export const refusals = pgTable(
  'refusals',
  {
    id: id(),
    userId: ownerId(),
    status: integer().notNull(),
    reason: text().notNull(),
    source: text(),
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
    /** As it was written; it is compared in lower case. */
    environment: text(),
    version: text(),
    commit: text(),
    /** Every scope that this deployment counts for: domain/target.ts says which. */
    scopes: text().array().notNull(),
    /** The scope of its link's own target, null without a link. */
    target: text(),
    targetRule: targetRule(),
    idempotencyKey: text(),
    /** The display name that the first answer carried: a replay has the same body after a rename. */
    postedAs: text(),
    deployedAt: instant().notNull(),
  },
  (t) => [
    // Plain ascending: Postgres reads them backwards, and drizzle's desc() would not match an order by.
    // With the instant: rates and gaps are then told from the index alone.
    index('deployments_user').on(t.userId, t.id, t.deployedAt),
    index('deployments_category').on(t.category, t.id).where(sql`${t.category} is not null`),
    index('deployments_user_category').on(t.userId, t.category, t.id).where(sql`${t.category} is not null`),
    index('deployments_target').on(t.userId, t.target, t.id).where(sql`${t.target} is not null`),
    index('deployments_target_category')
      .on(t.userId, t.target, t.category, t.id)
      .where(sql`${t.target} is not null and ${t.category} is not null`),
    index('deployments_old_rule').on(t.id).where(sql`${t.targetRule} is null and ${t.url} is not null`),
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

/**
 * What was withdrawn, for those who have it on their screen. Ids are of the deployments' sequence: one
 * number tells how far a reader has seen (domain/feed-event.ts).
 */
export const withdrawals = pgTable(
  'withdrawals',
  {
    id: bigint({ mode: 'number' }).primaryKey(),
    deploymentId: bigint({ mode: 'number' }).notNull(),
    /** Whose it was and when it was posted: it goes on counting for the rate. Older ones do not say. */
    userId: bigint({ mode: 'number' }),
    deployedAt: instant(),
  },
  (t) => [index('withdrawals_user').on(t.userId, t.deployedAt).where(sql`${t.userId} is not null`)],
)

/** Makes a badge one primary-key probe, whatever its filter (docs/architecture.md#coalescing). */
export const latestDeployments = pgTable(
  'latest_deployments',
  {
    userId: ownerId(),
    scope: text().notNull(),
    deployedAt: instant().notNull(),
    targetRule: targetRule(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.scope] }),
    index('latest_deployments_old_rule')
      .on(t.userId, t.scope)
      .where(sql`${t.targetRule} is null and ${t.scope} <> ''`),
  ],
)

/** The year of a profile, a day in UTC. A day that saw none has no row. */
export const dailyDeployments = pgTable(
  'daily_deployments',
  { userId: ownerId(), day: date({ mode: 'string' }).notNull(), deployments: integer().notNull() },
  (t) => [
    primaryKey({ columns: [t.userId, t.day] }),
    // With the number: a year is then read from the index alone, where its days are together.
    index('daily_deployments_counted').on(t.userId, t.day, t.deployments),
  ],
)

/**
 * The year of a project, a day in UTC. Triggers of `deployments` count it (drizzle/0015_target_days.sql), so that
 * no statement and no older process can forget to; it goes with its deployments, and so needs no foreign key.
 */
export const targetDays = pgTable(
  'target_days',
  {
    userId: bigint({ mode: 'number' }).notNull(),
    target: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    deployments: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.target, t.day] })],
)

/** Up to this id, deployments are not in `target_days` yet; without a row, all are: see upkeep/old-days.ts. */
export const uncountedDays = pgTable('uncounted_days', { upTo: bigint({ mode: 'number' }).primaryKey() })

/** What a user deploys to, and when they last did. */
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
    index('targets_old_rule').on(t.userId, t.target).where(sql`${t.targetRule} is null`),
  ],
)

/** Which of a user's targets a scope covers: what counts for it, and what a filter lists. */
export const targetScopes = pgTable(
  'target_scopes',
  { userId: ownerId(), scope: text().notNull(), target: text().notNull() },
  (t) => [primaryKey({ columns: [t.userId, t.scope, t.target] })],
)
