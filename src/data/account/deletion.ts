import { type SQL, sql } from 'drizzle-orm'
import { ringBell } from '../../database/bell.ts'
import type { Db, Queries } from '../../database/db.ts'
import { gently } from '../../database/gently.ts'
import { lockFeed } from '../../database/locks.ts'
import { oneRowOf, rowsOf } from '../../database/sql.ts'
import { deletedName } from '../../domain/account/username.ts'
import { dailyDeployments, deployments, latestDeployments, targetScopes, targets } from '../schema.ts'
import { retiredUsernames } from './schema.ts'
import { isAccount } from './users.ts'

/**
 * Announcements wait until what a chunk has written is on the disk. Five times as many, one chunk after the other,
 * made that 136 ms, and these, in turns, 34 (docs/figures.md#designs-that-were-tried).
 */
const chunkSize = 100

/** What cannot be removed in this time goes on in the background: the whole request has 2.5 s. */
const awaitedMs = 500

/**
 * Deletes an account of any size. At once its username is retired for ever, its sessions, tokens and publishers end,
 * and an event tells open pages; what it posted is deleted in chunks, the newest first: of a large account in the
 * background, and after a crash by finishDeletions.
 */
export async function deleteUser(db: Db, userId: number): Promise<void> {
  await db.run((queries) =>
    queries.transaction(async (transaction) => {
      // Sent at once, as in recording.ts: everybody waits for this lock.
      await Promise.all([
        lockFeed(transaction),
        rowsOf(transaction, retireStatement(userId)),
        transaction.execute(ringBell),
      ])
    }),
  )
  // The account is nobody's by now, whatever becomes of the rest; finishDeletions tries again, and tells of faults.
  const removing = removeUser(db, userId).catch(() => {})
  await Promise.race([removing, Bun.sleep(awaitedMs)])
}

/** The statement under the lock. Whoever deletes an account that is being deleted finds nothing to retire. */
function retireStatement(userId: number): SQL {
  return sql`
    with retired as (
      insert into retired_usernames (username, user_id, event_id)
      select username, id, nextval('deployments_id_seq') from users where id = ${userId} and ${isAccount}
    ),
    renamed as (
      update users set username = ${deletedName(userId)}, password_hash = '' where id = ${userId}
    ),
    ended as (delete from sessions where user_id = ${userId}),
    distrusted as (delete from publishers where user_id = ${userId})
    delete from tokens where user_id = ${userId}`
}

/** Removes what is left of deleted accounts. Throws Unavailable; the rest then goes another time. */
export async function finishDeletions(db: Db): Promise<void> {
  const left = await db.run((queries) =>
    queries
      .select({ userId: retiredUsernames.userId })
      .from(retiredUsernames)
      .where(sql`${retiredUsernames.userId} is not null`),
  )
  for (const { userId } of left) if (userId !== null) await removeUser(db, userId)
}

const ownedTables = [deployments, latestDeployments, targetScopes, targets, dailyDeployments]

async function removeUser(db: Db, userId: number): Promise<void> {
  do {
    for (const table of ownedTables) {
      while (await gently(() => db.run((queries) => removeChunk(queries, table, userId)))) {}
    }
    // Another process may be removing the same account, and have had the last rows of a chunk.
  } while (await db.run((queries) => isMoreThanUser(queries, userId)))
}

/** Whether there are rows left; deletes the user if there are none, so that nothing large goes with it. */
async function isMoreThanUser(queries: Queries, userId: number): Promise<boolean> {
  const owned = ownedTables.map((table) => sql`exists (select from ${table} where user_id = ${userId})`)
  const { rest } = await oneRowOf<{ rest: boolean }>(
    queries,
    sql`
      with owned as (select ${sql.join(owned, sql` or `)} as rest),
      gone as (delete from users where id = ${userId} and not (select rest from owned)),
      done as (update retired_usernames set user_id = null where user_id = ${userId} and not (select rest from owned))
      select rest from owned`,
  )
  return rest
}

/** Whether there may be more to remove. */
async function removeChunk(
  queries: Queries,
  table: (typeof ownedTables)[number],
  userId: number,
): Promise<boolean> {
  const newestFirst = table === deployments ? sql`order by id desc` : sql``
  const removed = await rowsOf(
    queries,
    sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where user_id = ${userId} ${newestFirst} limit ${chunkSize}
      ))
      returning 1`,
  )
  return removed.length === chunkSize
}
