import type { SQL } from 'drizzle-orm'
import type { Db } from '../../src/database/db.ts'
import { rowsOf } from '../../src/database/sql.ts'

/** Runs a raw statement on the store, past every rule of the service. */
export function query<Row>(db: Db, statement: SQL): Promise<readonly Row[]> {
  return db.run((queries) => rowsOf<Row>(queries, statement))
}
