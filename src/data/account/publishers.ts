import { and, asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, nowInMs, rowsOf } from '../../database/db.ts'
import type { Publisher } from '../../domain/publisher/match.ts'
import { mostPublishers, type TrustedPipeline } from '../../domain/publisher/publisher-form.ts'
import { publishers } from './schema.ts'
import { lockAccount } from './users.ts'

export type StoredPublisher = Publisher & {
  readonly id: number
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const { userId: _, ...columns } = getTableColumns(publishers)

/** The publishers of a user, the oldest first. Throws Unavailable. */
export async function listPublishers(db: Db, userId: number): Promise<readonly StoredPublisher[]> {
  return await db.run((queries) =>
    queries.select(columns).from(publishers).where(eq(publishers.userId, userId)).orderBy(asc(publishers.id)),
  )
}

/**
 * Trusts a pipeline to announce for a user (docs/decisions.md#publishers). Concurrent calls never add more
 * than `mostPublishers`. `known`: it is trusted already; `gone`: the user was deleted in the meantime. Throws
 * Unavailable.
 */
export async function addPublisher(
  db: Db,
  userId: number,
  pipeline: TrustedPipeline,
): Promise<{ readonly outcome: 'added' | 'known' | 'full' | 'gone' }> {
  return await db.run((queries) =>
    queries.transaction(async (transaction) => {
      if (!(await lockAccount(transaction, userId))) return { outcome: 'gone' }
      const ofUser = eq(publishers.userId, userId)
      const [found] = await transaction.select({ count: count() }).from(publishers).where(ofUser)
      if ((found?.count ?? 0) >= mostPublishers) return { outcome: 'full' }
      const added = await transaction
        .insert(publishers)
        .values({ ...pipeline, userId })
        .onConflictDoNothing()
        .returning({ id: publishers.id })
      return { outcome: added.length === 0 ? 'known' : 'added' }
    }),
  )
}

/** Removes a publisher of a user and its tokens. False if there was none. Throws Unavailable. */
export async function removePublisher(db: Db, userId: number, id: number): Promise<boolean> {
  const removed = await db.run((queries) =>
    queries
      .delete(publishers)
      .where(and(eq(publishers.userId, userId), eq(publishers.id, id)))
      .returning({ id: publishers.id }),
  )
  return removed.length > 0
}

/** A user's publishers of one issuer, the oldest first, and the database's time. Throws Unavailable. */
export async function findPublishers(
  db: Db,
  { username, issuer }: { readonly username: string; readonly issuer: string },
): Promise<{ readonly publishers: readonly StoredPublisher[]; readonly now: Date }> {
  const ofUser = sql`(select id from users where username = ${username})`
  return await db.run(async (queries) => {
    const found = queries
      .select(columns)
      .from(publishers)
      .where(and(eq(publishers.userId, ofUser), eq(publishers.issuer, issuer)))
      .orderBy(asc(publishers.id))
    const [rows, [time]] = await Promise.all([
      found,
      rowsOf<{ now_ms: number }>(queries, sql`select ${nowInMs} as now_ms`),
    ])
    return { publishers: rows, now: new Date(time?.now_ms ?? 0) }
  })
}
