import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id } from '../account/schema.ts'

/**
 * The words of a batch of deployments, as domain/search/postings.ts writes them. By page first, so that a term
 * is looked up in all batches by one walk.
 */
export const searchPages = pgTable(
  'search_pages',
  { page: text().notNull(), batch: integer().notNull(), lines: text().notNull() },
  (t) => [primaryKey({ columns: [t.page, t.batch] }), index('search_pages_batch').on(t.batch)],
)

/** The batches that are indexed, without a gap. The version says which of two writers was first. */
export const searchBatches = pgTable('search_batches', {
  batch: integer().primaryKey(),
  version: integer().notNull(),
})

/** Batches of which a deployment was deleted or changed, until they are indexed again. Triggers write it. */
export const searchChanges = pgTable('search_changes', { id: id(), batch: integer().notNull() }, (t) => [
  index('search_changes_batch').on(t.batch),
])
