import type { SQL } from 'drizzle-orm'
import { type Db, rowsOf } from '../../src/database/database.ts'

/** Runs a raw statement on the store, past every rule of the service. */
export function query<Row>(db: Db, statement: SQL): Promise<readonly Row[]> {
  return db.run((queries) => rowsOf<Row>(queries, statement))
}
