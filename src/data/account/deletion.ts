import { type SQL, sql } from 'drizzle-orm'
import { ringBell } from '../../database/bell.ts'
import { type Db, rowsOf } from '../../database/db.ts'
import { gently, lockFeed } from '../../database/locks-and-pacing.ts'
import { deletedName } from '../../domain/account/user.ts'
import { intakeCalls } from '../intake/schema.ts'
import { dailyDeployments, deployments, latestDeployments, targetScopes, targets } from '../schema.ts'
import { allRows, oneValue } from '../statements.ts'
import { deletedAtOnce } from '../upkeep/deployment-pruning.ts'
import { isAccount, retiredUsernames } from './schema.ts'

/** Then the removal goes on in the background, because the whole request has 2.5 s. */
const awaitedMs = 500

/**
 * Deletes an account (docs/decisions.md#accounts), whose access ends at once. Its rows go in chunks, for a
 * large account in the background, and after a crash by finishDeletions. Throws Unavailable.
 */
export async function deleteUser(db: Db, userId: number): Promise<void> {
  await db.write((queries) =>
    queries.transaction(async (transaction) => {
      // Sent together, because every announcement waits for this lock.
      await Promise.all([
        lockFeed(transaction),
        rowsOf(transaction, retireStatement(userId)),
        transaction.execute(ringBell),
      ])
    }),
  )
  // The account is gone by now, whatever happens to its rows. finishDeletions tries again and reports faults.
  const removing = removeUser(db, userId).catch(() => {})
  await Promise.race([removing, Bun.sleep(awaitedMs)])
}

/** The statement under the lock. If the account is being deleted already, it changes nothing. */
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
    distrusted as (delete from publishers where user_id = ${userId}),
    silenced as (delete from webhooks where user_id = ${userId}),
    closed as (delete from read_keys where user_id = ${userId})
    delete from tokens where user_id = ${userId}`
}

/** Removes what is left of deleted accounts. Throws Unavailable. */
export async function finishDeletions(db: Db): Promise<void> {
  const left = await db.readPrimary((queries) =>
    queries
      .select({ userId: retiredUsernames.userId })
      .from(retiredUsernames)
      .where(sql`${retiredUsernames.userId} is not null`),
  )
  for (const { userId } of left) if (userId !== null) await removeUser(db, userId)
}

const ownedTables = [deployments, latestDeployments, targetScopes, targets, dailyDeployments, intakeCalls]

async function removeUser(db: Db, userId: number): Promise<void> {
  do {
    for (const table of ownedTables) {
      while (await gently(() => removeSome(db, table, userId))) {}
    }
    // Another process may be removing the same account and have taken the last rows of a chunk.
  } while (await db.write(isMoreThanUser(userId)))
}

/** Whether rows are left. Deletes the user only if none are, so that it never cascades to many rows. */
function isMoreThanUser(userId: number) {
  const owned = ownedTables.map((table) => sql`exists (select from ${table} where user_id = ${userId})`)
  return oneValue<boolean>(sql`
    with owned as (select ${sql.join(owned, sql` or `)} as rest),
    gone as (delete from users where id = ${userId} and not (select rest from owned)),
    unstamped as (delete from user_stamps where user_id = ${userId} and not (select rest from owned)),
    done as (update retired_usernames set user_id = null where user_id = ${userId} and not (select rest from owned))
    select rest from owned`)
}

/** Says whether there may be more. */
async function removeSome(db: Db, table: (typeof ownedTables)[number], userId: number): Promise<boolean> {
  const newestFirst = table === deployments ? sql`order by id desc` : sql``
  const removed = await db.write(
    allRows(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where user_id = ${userId} ${newestFirst} limit ${deletedAtOnce}
      ))
      returning 1`),
  )
  return removed.length === deletedAtOnce
}
