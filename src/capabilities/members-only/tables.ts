import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, users } from '../../data/account/tables.ts'

/** The key of a user with which others read while `VISIBILITY` is `members`; see store.ts. */
export const readKeys = pgTable('read_keys', {
  userId: bigint({ mode: 'number' })
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  hash: text().notNull().unique(),
  lastFour: text().notNull(),
  createdAt: instant().notNull().defaultNow(),
  lastUsedAt: instant(),
})
