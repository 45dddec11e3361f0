import { eq } from 'drizzle-orm'
import type { Db, Queries } from '../database/db.ts'
import { lockFeed } from '../database/locks.ts'
import { users } from './account/schema.ts'
import { findWithdrawal, withdrawStatement } from './withdrawal-statements.ts'

/**
 * Deletes a deployment of its poster, takes it out of everything that it counted for, and rings the bell.
 * False if the user has no such deployment.
 *
 * What takes its place is looked up before the lock of all announcements is taken. Meanwhile the user may
 * announce, which is newer than anything found, but not withdraw anything else.
 */
export async function withdrawDeployment(db: Db, which: { userId: number; id: number }): Promise<boolean> {
  return await db.run((queries) =>
    queries.transaction(async (transaction) => {
      // Sent at once; the second is read after the first holds.
      const [, withdrawal] = await Promise.all([
        lockUser(transaction, which.userId),
        findWithdrawal(transaction, which),
      ])
      if (withdrawal === null) return false
      // Sent at once, as in recording.ts: everybody waits for this lock.
      await Promise.all([lockFeed(transaction), transaction.execute(withdrawStatement(withdrawal))])
      return true
    }),
  )
}

/** Keeps a user's other withdrawals waiting, but not their announcements. */
async function lockUser(transaction: Queries, userId: number): Promise<void> {
  await transaction.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}
