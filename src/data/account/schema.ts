import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

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
  /** Whether the settings show the way to the first deployment, as they do until a newcomer has walked it. */
  showsChecklist: boolean().notNull().default(false),
})

/** Usernames of deleted accounts, which nobody gets again; the user is null once all of theirs is removed. */
export const retiredUsernames = pgTable(
  'retired_usernames',
  {
    username: text().primaryKey(),
    userId: bigint({ mode: 'number' }),
    /** The event that tells of it, of the deployments' sequence. Those that an older version deleted have none. */
    eventId: bigint({ mode: 'number' }),
  },
  (t) => [
    index('retired_usernames_user').on(t.userId).where(sql`${t.userId} is not null`),
    index('retired_usernames_event').on(t.eventId).where(sql`${t.eventId} is not null`),
  ],
)

/** Pipelines that a user trusts to announce without a secret; see publishers.ts. */
export const publishers = pgTable(
  'publishers',
  {
    id: id(),
    userId: ownerId(),
    issuer: text().notNull(),
    /** Of an issuer that is no forge, the whole `sub`. */
    repository: text().notNull(),
    /** The numbers behind the names, pinned at first use: a name can become somebody else's. */
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

/** Identity tokens that were exchanged, until they expire: each is good once. */
export const usedJtis = pgTable(
  'used_jtis',
  { issuer: text().notNull(), jti: text().notNull(), expiresAt: instant().notNull() },
  (t) => [primaryKey({ columns: [t.issuer, t.jti] }), index('used_jtis_expiry').on(t.expiresAt)],
)

/**
 * Of a user one current token, at most one old one that they chose to keep until it expires, and those that
 * publishers got for some minutes.
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
  },
  (t) => [
    // One index of all, so that the tokens of a user are found by it.
    uniqueIndex('tokens_of_user').on(
      t.userId,
      sql`(case when ${t.publisherId} is null then (${t.expiresAt} is null)::text else ${t.hash} end)`,
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

/** Browsers in which a user has signed in, by the hash of their device cookie; see credentials.ts. */
export const devices = pgTable(
  'devices',
  {
    hash: text().notNull(),
    userId: ownerId(),
    signedInAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.hash, t.userId] }), index('devices_user').on(t.userId)],
)

/** Operators' links to a new password, of a user or for a new one of this name; see password-links.ts. */
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

/** What is throttled, by whom it is counted: the instants of its last attempts; see attempts.ts. */
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
