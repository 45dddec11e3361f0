import { eq, sql } from 'drizzle-orm'
import type { Db, Queries } from '../../database/db.ts'
import { rowsOf } from '../../database/sql.ts'
import { dailyDeployments, deployments, latestDeployments, targetScopes, targets } from '../schema.ts'
import { retiredUsernames, users } from './schema.ts'

/** Few enough for a statement of some milliseconds, because announcements may wait for one. */
const chunkSize = 500

/** What cannot be removed in this time is removed later: the whole request has 2.5 s. */
const awaitedMs = 500

/**
 * Deletes an account of any size. At once its username is retired for ever, and its sessions and tokens end;
 * what it posted is deleted in chunks, the newest first. finishDeletions removes what is left after half a
 * second, or after a crash.
 */
export async function deleteUser(db: Db, userId: number): Promise<void> {
  await db.run((queries) =>
    rowsOf(
      queries,
      // No username is spelled like the new one.
      sql`
        with retired as (
          insert into retired_usernames (username, user_id) select username, id from users where id = ${userId}
        ),
        renamed as (update users set username = ${`~${userId}`}, password_hash = '' where id = ${userId}),
        ended as (delete from sessions where user_id = ${userId})
        delete from tokens where user_id = ${userId}`,
    ),
  )
  await removeUser(db, userId, awaitedMs)
}

/** Removes what is left of deleted accounts. Throws Unavailable; the rest then goes another time. */
export async function finishDeletions(db: Db): Promise<void> {
  const left = await db.run((queries) =>
    queries
      .select({ userId: retiredUsernames.userId })
      .from(retiredUsernames)
      .where(sql`${retiredUsernames.userId} is not null`),
  )
  for (const { userId } of left) if (userId !== null) await removeUser(db, userId, Number.POSITIVE_INFINITY)
}

async function removeUser(db: Db, userId: number, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs
  for (const table of [deployments, latestDeployments, targetScopes, targets, dailyDeployments]) {
    for (let isMore = true; isMore; ) {
      if (performance.now() > end) return
      isMore = await db.run((queries) => removeChunk(queries, table, userId))
    }
  }
  if (performance.now() > end) return
  await db.run((queries) =>
    queries.transaction(async (transaction) => {
      await Promise.all([
        transaction.delete(users).where(eq(users.id, userId)),
        transaction.update(retiredUsernames).set({ userId: null }).where(eq(retiredUsernames.userId, userId)),
      ])
    }),
  )
}

type OwnedTable =
  | typeof deployments
  | typeof latestDeployments
  | typeof targetScopes
  | typeof targets
  | typeof dailyDeployments

/** Whether there may be more to remove. */
async function removeChunk(queries: Queries, table: OwnedTable, userId: number): Promise<boolean> {
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
