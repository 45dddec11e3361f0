import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../../data/account/tables.ts'

/** Each can be used once, and is kept until it expires. */
export const usedJtis = pgTable(
  'used_jtis',
  { issuer: text().notNull(), jti: text().notNull(), expiresAt: instant().notNull() },
  (t) => [primaryKey({ columns: [t.issuer, t.jti] }), index('used_jtis_expiry').on(t.expiresAt)],
)
