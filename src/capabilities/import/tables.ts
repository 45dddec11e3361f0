import { bigint, date, integer, pgTable } from 'drizzle-orm/pg-core'
import { users } from '../../data/account/tables.ts'

/** How many deployments from history each user added on the last UTC day on which they added any (store.ts). */
export const historyDays = pgTable('history_days', {
  userId: bigint({ mode: 'number' })
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  day: date({ mode: 'string' }).notNull(),
  added: integer().notNull(),
})
