import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

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
})

/** Usernames of deleted accounts, which nobody gets again; the user is null once all of theirs is removed. */
export const retiredUsernames = pgTable(
  'retired_usernames',
  {
    username: text().primaryKey(),
    userId: bigint({ mode: 'number' }),
  },
  (t) => [index('retired_usernames_user').on(t.userId).where(sql`${t.userId} is not null`)],
)

/** One current token a user, and at most one old one that its owner chose to keep until it expires. */
export const tokens = pgTable(
  'tokens',
  {
    hash: text().primaryKey(),
    userId: ownerId(),
    lastFour: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant(),
    expiresAt: instant(),
  },
  (t) => [
    // One index of all, so that the tokens of a user are found by it.
    uniqueIndex('tokens_user').on(t.userId, sql`(${t.expiresAt} is null)`),
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
