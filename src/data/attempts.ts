import { inArray, sql } from 'drizzle-orm'
import type { Db, Queries } from '../database/db.ts'
import { rowsOf } from '../database/sql.ts'
import { attempts } from './schema.ts'

export type Attempt = {
  readonly kind: 'sign_in_account' | 'sign_in_address' | 'sign_up_address'
  readonly subject: string
  /** At most so many in any such time, of one day at most: older attempts are forgotten. */
  readonly limit: number
  readonly window: '1 hour' | '1 day'
}

export type Reserved =
  | { readonly ok: true; readonly attemptIds: readonly number[] }
  | { readonly ok: false; readonly retryAfterSeconds: number }

/**
 * Counts attempts before they are made, so that parallel ones cannot slip through; releaseAttempts takes
 * back those that should not have counted. Refuses, and counts none, where a limit is reached.
 */
export async function reserveAttempts(db: Db, wanted: readonly Attempt[]): Promise<Reserved> {
  return await db.run((queries) =>
    queries.transaction(async (transaction) => {
      for (const attempt of wanted) {
        const retryAfterSeconds = await secondsUntilFree(transaction, attempt)
        if (retryAfterSeconds !== null) return { ok: false, retryAfterSeconds }
      }
      await transaction.execute(sql`delete from attempts where attempted_at < now() - interval '1 day'`)
      const rows = await transaction
        .insert(attempts)
        .values(wanted.map(({ kind, subject }) => ({ kind, subject })))
        .returning({ id: attempts.id })
      return { ok: true, attemptIds: rows.map(({ id }) => id) }
    }),
  )
}

/** Null where there is a place now. The lock makes those who count the same subject follow one another. */
async function secondsUntilFree(
  queries: Queries,
  { kind, subject, limit, window }: Attempt,
): Promise<number | null> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext(${kind}), hashtext(${subject}))`)
  const [row] = await rowsOf<{ count: number; free_in_seconds: number }>(
    queries,
    sql`
      select count(*)::int as count,
        ceil(extract(epoch from min(attempted_at) + ${window}::interval - now()))::int as free_in_seconds
      from (
        select attempted_at from attempts
        where kind = ${kind} and subject = ${subject} and attempted_at > now() - ${window}::interval
        order by attempted_at desc limit ${limit}
      ) recent`,
  )
  return row === undefined || row.count < limit ? null : row.free_in_seconds
}

/** Takes attempts back, such as a sign-in that was right. */
export async function releaseAttempts(db: Db, ids: readonly number[]): Promise<void> {
  await db.run((queries) => queries.delete(attempts).where(inArray(attempts.id, [...ids])))
}
