/**
 * The number of ids that are indexed together. A function of the database notes by it which batches have changed, so it
 * belongs to the schema: another size would need a migration of everything that is indexed.
 */
export const batchSize = 2_048
