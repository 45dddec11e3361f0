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
import type { Category } from '../domain/category.ts'
import { facetNames, facets } from '../domain/feed/facets.ts'
import { id, instant, ownerId } from './account/tables.ts'
import { facetKey } from './facets.ts'

/** The rule of domain/target.ts by which the link was read; null for the first (upkeep/rereading.ts). */
const targetRule = () => smallint()

const number = () => bigint({ mode: 'number' })

/**
 * Whether a link has to be read again: the first rule read all links differently, the second one those to a
 * repository's `.git`, and the third one those with a tag of a package, a repository that is called like a page, and
 * pages and tools on hosts that are no forges. Queries use exactly this text, so that Postgres finds the index.
 */
export const isUnread = sql`url is not null and project is null and (
  target_rule is null or target_rule < 3 and url ~* '([.]|%2e)(g|%[46]7)(i|%[46]9)(t|%[57]4)([^a-z0-9]|$)'
  or target_rule < 4 and (
    url ~* '%[2-7]|\\\\|/(releases|tags|tag)/.+[-_@]v?[0-9]|/(tags/|tag/|releases/(?!tag/)).*[^/]/v?[0-9]'
    or url ~* '^https?://[^/]+/+[^/]+/+(actions|blob|commits?|compare|issues|jobs?|merge_requests|pipelines|pull|pull-requests|pulls|releases|src|tags?|tree)([^a-z0-9_-]|$)'
    or url !~* '^https?://(www[.])?(bitbucket[.]org|codeberg[.]org|git[.]sr[.]ht|gitea[.]com|gitee[.]com|github[.]com|gitlab[.]com)/'
      and url ~* '/([0-9]+|_git|activity|applications|blue|builds?|codesuite|commits?|compare|go|issues|jobs?|merge_requests|pages|pipelines|pull|pull-requests|pulls|releases?|repos|runs?|tags?|workflows)([^a-z0-9_-]|$)'
  )
)`

/** The same for the third rule of version 1.1.0. The release after this one drops it with its index. */
const isUnreadByThird = sql`url is not null and (
  target_rule is null or target_rule < 3 and url ~* '([.]|%2e)(g|%[46]7)(i|%[46]9)(t|%[57]4)([^a-z0-9]|$)'
)`

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
    project: text(),
    /** Who pressed the button, and where it runs. */
    actor: text(),
    environmentUrl: text(),
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
    index('deployments_target').on(t.userId, t.target, t.id).where(sql`${t.target} is not null`),
    index('deployments_unread').on(t.id).where(isUnreadByThird),
    index('deployments_reread').on(t.id).where(isUnread),
    ...facetNames.flatMap((facet) => {
      const key = facets[facet].isCaseless ? facetKey(facet) : t[facet]
      const isSet = sql`${t[facet]} is not null`
      return [
        index(`deployments_${facet}`).on(key, t.id).where(isSet),
        index(`deployments_user_${facet}`).on(t.userId, key, t.id).where(isSet),
        index(`deployments_target_${facet}`)
          .on(t.userId, t.target, key, t.id)
          .where(sql`${t.target} is not null and ${isSet}`),
      ]
    }),
    uniqueIndex('deployments_idempotency_key')
      .on(t.userId, t.idempotencyKey)
      .where(sql`${t.idempotencyKey} is not null`),
  ],
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

/** Spellings of a project that its user joined into another target (targets.ts). */
export const joinedProjects = pgTable(
  'joined_projects',
  {
    userId: ownerId(),
    spelling: text().notNull(),
    target: text().notNull(),
    /** Every scope of that target. */
    scopes: text().array().notNull(),
    createdAt: instant().notNull().defaultNow(),
    /** When its last deployment was moved to that target; null while some are left (upkeep/moving.ts). */
    movedAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.spelling] }),
    index('joined_projects_unmoved').on(t.userId, t.spelling).where(sql`${t.movedAt} is null`),
  ],
)

/** One row: the settings of the service that started last, for commands. */
export const servedAt = pgTable('served_at', {
  isOnly: boolean().primaryKey().default(true),
  baseUrl: text().notNull(),
  proxySignsIn: boolean().notNull().default(false),
  webhooks: text().notNull().default('off'),
  streamsMax: integer().notNull().default(10_000),
  backupEverySeconds: integer(),
})
