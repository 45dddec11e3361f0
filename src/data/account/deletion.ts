import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { ringBell } from '../../database/bell.ts'
import { type Db, rowsOf } from '../../database/db.ts'
import { lockFeed } from '../../database/locks.ts'
import { deletedAtOnce, gently } from '../../database/pacing.ts'
import { deletedName } from '../../domain/account/user.ts'
import { newestIn } from '../feed-pages.ts'
import { oneValue } from '../statements.ts'
import type { TableUse } from '../table-uses/table-use.ts'
import { deployments, withdrawals } from '../tables.ts'
import { isAccount, retiredUsernames } from './tables.ts'

/** Then the removal goes on in the background, because the whole request has 2.5 s. */
const awaitedMs = 500

/**
 * Deletes an account (docs/decisions.md#accounts), whose access ends at once. Its rows go in chunks, for a large
 * account in the background, and after a crash by finishDeletions.
 */
export async function deleteUser(db: Db, tables: readonly TableUse[], userId: number): Promise<void> {
  await db.write((queries) =>
    queries.transaction(async (transaction) => {
      // Sent together, because every announcement waits for the second lock. The first one comes first everywhere.
      await Promise.all([
        rowsOf(transaction, sql`select lock_users(array[${userId}::bigint])`),
        lockFeed(transaction),
        rowsOf(transaction, retireStatement(tables, userId)),
        transaction.execute(ringBell),
      ])
    }),
  )
  // The account is gone by now, whatever happens to its rows. finishDeletions tries again and reports faults.
  const removing = removeUser(db, tables, userId).catch(() => {})
  await Promise.race([removing, Bun.sleep(awaitedMs)])
}

/** The statement under the lock. If the account is being deleted already, it changes nothing. */
function retireStatement(tables: readonly TableUse[], userId: number): SQL {
  const ends = tablesWith('at once', tables).map((table) => {
    const name = sql.identifier(`ended_${getTableName(table)}`)
    return sql`, ${name} as (delete from ${table} where user_id = ${userId})`
  })
  return sql`
    with retired as (
      insert into retired_usernames (username, user_id, event_id)
      select username, id, nextval('deployments_id_seq') from users where id = ${userId} and ${isAccount}
    )
    ${sql.join(ends)}
    update users set username = ${deletedName(userId)}, password_hash = '' where id = ${userId}`
}

/** The tables whose rows go at once, or in chunks. */
function tablesWith(kind: TableUse['deletion'], tables: readonly TableUse[]): readonly PgTable[] {
  return tables.filter(({ deletion }) => deletion === kind).map(({ table }) => table)
}

/** Removes what is left of deleted accounts. */
export async function finishDeletions(db: Db, tables: readonly TableUse[]): Promise<void> {
  const left = await db.readPrimary((queries) =>
    queries
      .select({ userId: retiredUsernames.userId })
      .from(retiredUsernames)
      .where(sql`${retiredUsernames.userId} is not null`),
  )
  for (const { userId } of left) if (userId !== null) await removeUser(db, tables, userId)
}

async function removeUser(db: Db, tables: readonly TableUse[], userId: number): Promise<void> {
  // Tables of counts become empty with the deployments, unless a process of an older release has removed some.
  const owned = tablesWith('in chunks', tables)
  do {
    for (const table of owned) {
      const removing = oneValue<number>(
        sql`${removal(table, userId)} select count(*)::int as removed from removed`,
      )
      while ((await gently(() => db.write(removing))) === deletedAtOnce) {}
    }
    // Another process may be removing the same account and have taken the last rows of a chunk.
  } while (await db.write(isMoreThanUser(owned, userId)))
}

/** Whether rows are left. Deletes the user only if none are, so that it never cascades to many rows. */
function isMoreThanUser(owned: readonly PgTable[], userId: number) {
  const rests = owned.map((table) => sql`exists (select from ${table} where user_id = ${userId})`)
  return oneValue<boolean>(sql`
    with owned as (select ${sql.join(rests, sql` or `)} as rest),
    gone as (delete from users where id = ${userId} and not (select rest from owned)),
    unstamped as (delete from user_stamps where user_id = ${userId} and not (select rest from owned)),
    done as (update retired_usernames set user_id = null where user_id = ${userId} and not (select rest from owned))
    select rest from owned`)
}

/** The part of a statement that removes some rows, and has a row for each of them. */
function removal(table: PgTable, userId: number): SQL {
  const some = sql`select ctid from ${table} where user_id = ${userId} limit ${deletedAtOnce}`
  switch (table) {
    case deployments: {
      // The newest first, because pages of lists leave them out, and are shorter until they are gone.
      const newest = newestIn({ userId: sql`${userId}::bigint` }, deletedAtOnce, sql`id`)
      return sql`with removed as (select generate_series(1, forget_deployments(array(${newest}))))`
    }
    case withdrawals:
      // Followers need the events, but not whose they were, and when.
      return sql`
        with removed as (
          update withdrawals set user_id = null, deployed_at = null where ctid = any(array(${some})) returning 1
        )`
    default:
      return sql`with removed as (delete from ${table} where ctid = any(array(${some})) returning 1)`
  }
}
