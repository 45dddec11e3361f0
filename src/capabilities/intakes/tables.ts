import { sql } from 'drizzle-orm'
import { bigint, boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, ownerId } from '../../data/account/tables.ts'
import type { CallOutcome, IntakeKind } from './rules.ts'

/** Addresses to which forges send the events of a user's repositories (docs/decisions.md#intakes). */
export const intakes = pgTable(
  'intakes',
  {
    /** Random; part of the address. */
    id: text().primaryKey(),
    userId: ownerId(),
    kind: text().$type<IntakeKind>().notNull(),
    /** Signs the calls. Not hashed, because HMAC needs it. */
    secret: text().notNull(),
    /** In the form of environmentKey; empty for all. */
    environments: text().array().$type<readonly string[]>().notNull(),
    /** The file names of workflows whose runs count, in lower case; empty for all. */
    workflows: text().array().$type<readonly string[]>().notNull(),
    /** Whether transient environments are announced too. */
    transient: boolean().notNull(),
    pausedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index('intakes_user').on(t.userId, t.createdAt)],
)

/** The last calls of each intake, and those that wait until their user's rate has room again. */
export const intakeCalls = pgTable(
  'intake_calls',
  {
    id: id(),
    userId: ownerId(),
    intakeId: text()
      .notNull()
      .references(() => intakes.id, { onDelete: 'cascade' }),
    /** In a few words; empty if not known. */
    about: text().notNull(),
    outcome: text().$type<CallOutcome>().notNull(),
    reason: text(),
    /** What was announced. Without a foreign key, because it may be withdrawn. */
    deploymentId: bigint({ mode: 'number' }),
    /** The announcement as JSON, while it waits. */
    waiting: text(),
    /** The key of a waiting call, and of one whose event comes again and again. */
    key: text(),
    receivedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('intake_calls_intake').on(t.intakeId, t.id),
    index('intake_calls_user').on(t.userId),
    index('intake_calls_waiting').on(t.userId, t.id).where(sql`${t.waiting} is not null`),
    uniqueIndex('intake_calls_once').on(t.intakeId, t.key).where(sql`${t.waiting} is not null`),
  ],
)
