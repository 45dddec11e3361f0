import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { deletedAtOnce, gently } from '../database/pacing.ts'
import { oneValue } from './statements.ts'

/** Deletes the history of a user. False if that takes long: it then goes on in the background. */
export async function removeImported(db: Db, userId: number): Promise<boolean> {
  const removing = removeChunks(db, userId).then(() => true)
  // Avoids an unhandled rejection after the caller has left.
  removing.catch(() => {})
  // A connection without an answer is closed after ten seconds.
  return await Promise.race([removing, Bun.sleep(7_000).then(() => false)])
}

async function removeChunks(db: Db, userId: number): Promise<void> {
  const statement = sql`select remove_history(${userId}, ${deletedAtOnce}) as removed`
  while ((await gently(() => db.write(oneValue<number>(statement)))) > 0) {}
}

/** How many deployments of a user are from history. */
export async function countImported(db: Db, userId: number): Promise<number> {
  const statement = sql`select count(*)::int as count from deployments where user_id = ${userId} and id < 0`
  return await db.readPrimary(oneValue<number>(statement))
}
