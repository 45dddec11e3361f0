import { and, eq, type SQL } from 'drizzle-orm'
import type { PgColumn, PgInsertValue, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Queries } from '../../database/db.ts'
import { changesAny } from '../statements.ts'
import { isAccount, users } from './tables.ts'

/** Names a row of a user, such as a webhook. */
export type Owned<Id = number> = { readonly userId: number; readonly id: Id }

type OwnedTable = PgTable & { readonly id: PgColumn; readonly userId: PgColumn }

/** The condition for one row, and perhaps another one. */
export function isOwned(
  table: OwnedTable,
  { userId, id }: Owned<number | string>,
  further?: SQL,
): SQL | undefined {
  return and(eq(table.userId, userId), eq(table.id, id), further)
}

/** What became of a row that a user adds. `known`: there is one like it; `gone`: the user was deleted. */
export type Added<Row> =
  | { readonly outcome: 'added'; readonly row: Row }
  | { readonly outcome: 'known' | 'full' | 'gone' }

/** Adds a row if the user has fewer than `max`, of all or of those of a condition. Concurrent calls take turns. */
export async function addOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  values: PgInsertValue<Table> & { readonly userId: number },
  { max, counted = eq(table.userId, values.userId) }: { max: number; counted?: SQL | undefined },
): Promise<Added<Table['$inferSelect']>> {
  const isIt = and(eq(users.id, values.userId), isAccount)
  const add = async (transaction: Queries): Promise<Added<Table['$inferSelect']>> => {
    const account = transaction.select({ id: users.id }).from(users).where(isIt)
    // Not `for update`: that would wait for each transaction that inserts a row of this user.
    const [locked] = await account.for('no key update')
    if (locked === undefined) return { outcome: 'gone' }
    if ((await transaction.$count(table, counted)) >= max) return { outcome: 'full' }
    const [row] = await transaction.insert(table).values(values).onConflictDoNothing().returning()
    return row === undefined ? { outcome: 'known' } : { outcome: 'added', row }
  }
  return await db.write((queries) => queries.transaction(add))
}

/** Changes a row, if it fulfils a further condition. False if there is none. */
export async function changeOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  of: Owned<number | string>,
  values: PgUpdateSetSource<Table>,
  further?: SQL,
): Promise<boolean> {
  return await changesAny(db, (queries) =>
    queries
      .update(table)
      .set(values)
      .where(isOwned(table, of, further))
      .returning({ id: table.id }),
  )
}

/** Deletes a row, if it fulfils a further condition. False if there is none. */
export async function deleteOwned(
  db: Db,
  table: OwnedTable,
  of: Owned<number | string>,
  further?: SQL,
): Promise<boolean> {
  return await changesAny(db, (queries) =>
    queries
      .delete(table)
      .where(isOwned(table, of, further))
      .returning({ id: table.id }),
  )
}
