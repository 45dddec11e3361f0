import { sql } from 'drizzle-orm'
import { type Queries, rowsOf } from '../database/db.ts'
import { readShapes, tableOf } from './table-uses/table-shape.ts'
import type { TableUse } from './table-uses/table-use.ts'

/** Reads the newest rows, whose blocks are the first to be missed in a file that was cut. */
export async function readNewest(queries: Queries): Promise<void> {
  await rowsOf(
    queries,
    sql`
      select (select length(d::text) from deployments d order by id desc limit 1),
        (select length(u::text) from users u order by id desc limit 1)`,
  )
}

const maxRead = 1_000

/** Reads the last rows of each of these tables, with all their columns. */
export async function readEnds(queries: Queries, tables: readonly TableUse[]): Promise<void> {
  await queries.transaction(async (transaction) => {
    // A scan of a table that was cut ends where its file does, and an index leads to what is missing.
    await transaction.execute(sql`set local enable_seqscan = off`)
    await transaction.execute(sql`set local enable_sort = off`)
    for (const { name, key } of await readShapes(transaction, tables)) {
      const last = key.map((column) => sql`${sql.identifier(column)} desc`)
      await rowsOf(
        transaction,
        sql`
          select max(length(t::text)) from (
            select * from ${tableOf(name)} order by ${sql.join(last, sql`, `)} limit ${maxRead}::int
          ) t`,
      )
    }
  })
}
