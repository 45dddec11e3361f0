import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id } from '../../data/account/tables.ts'

/** The words of batches (postings.ts). By page first, so that one walk finds a term in all batches. */
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
