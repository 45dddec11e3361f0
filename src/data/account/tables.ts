import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { defaultToken } from '../../domain/account/token.ts'
import { type TokenRight, tokenRights } from '../../domain/account/token-rights.ts'

export const id = () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity()
export const instant = () => timestamp({ withTimezone: true })
/** Deleted with the user. */
export const ownerId = () =>
  bigint({ mode: 'number' })
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const users = pgTable('users', {
  id: id(),
  username: text().notNull().unique(),
  name: text().notNull(),
  passwordHash: text().notNull(),
  createdAt: instant().notNull().defaultNow(),
  showsChecklist: boolean().notNull().default(false),
  /** In the form of environmentKey; null for the usual order. */
  environmentOrder: text().array(),
})

/** The condition that an account is not being deleted: see deletion.ts. */
export const isAccount = sql`left(${users.username}, 1) <> '~'`

/** Which no one gets again. The user is null once their data is removed. */
export const retiredUsernames = pgTable(
  'retired_usernames',
  {
    username: text().primaryKey(),
    userId: bigint({ mode: 'number' }),
    /** From the sequence of deployments; null if version 1.0.0 deleted it. */
    eventId: bigint({ mode: 'number' }),
  },
  (t) => [
    index('retired_usernames_user').on(t.userId).where(sql`${t.userId} is not null`),
    index('retired_usernames_event').on(t.eventId).where(sql`${t.eventId} is not null`),
  ],
)

/** Pipelines that a user trusts to announce without a secret; see capabilities/publishers. */
export const publishers = pgTable(
  'publishers',
  {
    id: id(),
    userId: ownerId(),
    issuer: text().notNull(),
    /** The whole `sub` if the issuer is not a forge. */
    repository: text().notNull(),
    /** Stored at first use, because a name can pass to someone else. */
    repositoryId: text(),
    ownerId: text(),
    workflow: text(),
    environment: text(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant(),
  },
  (t) => [
    unique('publishers_once')
      .on(t.userId, t.issuer, t.repository, t.workflow, t.environment)
      .nullsNotDistinct(),
  ],
)

/**
 * Also rolled tokens, which have `expiresAt` and no `endsOn`, and those of publishers. Version 1.0.0 knows
 * neither `name` nor the columns after it, whose defaults are right for its rows.
 */
export const tokens = pgTable(
  'tokens',
  {
    hash: text().primaryKey(),
    userId: ownerId(),
    lastFour: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant(),
    expiresAt: instant(),
    publisherId: bigint({ mode: 'number' }).references(() => publishers.id, { onDelete: 'cascade' }),
    /** Of the identity, for what an announcement leaves out. */
    environment: text(),
    version: text(),
    commit: text(),
    actor: text(),
    /** Links below it are verified (is_below.sql). */
    verifies: text(),
    verified: text().array(),
    id: bigint({ mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    /** Means nothing for a token of a publisher, like `may`. */
    name: text().notNull().default(defaultToken),
    may: text()
      .array()
      .$type<readonly TokenRight[]>()
      .notNull()
      .default(Object.keys(tokenRights) as TokenRight[]),
    /** Scopes of domain/target.ts; empty for all, as in the next column. */
    targets: text().array().$type<readonly string[]>().notNull().default([]),
    /** In the form of environmentKey. */
    environments: text().array().$type<readonly string[]>().notNull().default([]),
    /** The last UTC day, at whose end it expires; null for no end. */
    endsOn: date({ mode: 'string' }),
    /** See callSource in call-source.ts. */
    lastUsedFrom: text(),
  },
  (t) => [
    // One index for all kinds, so that it finds every token of a user.
    uniqueIndex('tokens_of_user').on(
      t.userId,
      sql`(case when ${t.publisherId} is null then ${t.name} else ${t.hash} end)`,
      sql`(${t.publisherId} is null and ${t.expiresAt} is not null and ${t.endsOn} is null)`,
    ),
    index('tokens_publisher').on(t.publisherId).where(sql`${t.publisherId} is not null`),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    hash: text().primaryKey(),
    userId: ownerId(),
    device: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    lastSeenAt: instant().notNull().defaultNow(),
  },
  (t) => [index('sessions_user').on(t.userId)],
)

/** Browsers in which a user has signed in, by the hash of the device cookie; see passwords.ts. */
export const devices = pgTable(
  'devices',
  {
    hash: text().notNull(),
    userId: ownerId(),
    signedInAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.hash, t.userId] }), index('devices_user').on(t.userId)],
)

/** Operators' links for a new password, or for a new account with this username; see password-links.ts. */
export const passwordLinks = pgTable(
  'password_links',
  {
    hash: text().primaryKey(),
    userId: bigint({ mode: 'number' }).references(() => users.id, { onDelete: 'cascade' }),
    username: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (t) => [index('password_links_user').on(t.userId)],
)

/** The last attempts whose rate is limited (throttle.ts), and the turn to prune (upkeep/deployment-pruning.ts). */
export const attempts = pgTable(
  'attempts',
  {
    kind: text().notNull(),
    subject: text().notNull(),
    instants: instant().array().notNull(),
    expiresAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.subject] }), index('attempts_expiry').on(t.expiresAt)],
)
