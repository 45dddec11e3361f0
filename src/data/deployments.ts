import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Deployment } from '../domain/deployment.ts'
import type { FeedFilter } from '../domain/feed-event.ts'
import { ringBell } from './bell.ts'
import type { Db } from './database.ts'
import { latestEventId } from './event-log.ts'
import { inPart } from './feed-part.ts'
import { lockFeed } from './recording.ts'
import { deployments, users } from './schema.ts'
import { uncount, uncountedColumns } from './uncount.ts'

export const pageSize = 25

/** Which deployments a list holds; `before` is the id to page before, null for the newest page. */
export type Filter = FeedFilter & { readonly before: number | null }

/** `older` is the id that the next page goes before, null on the last; `now` is the database's. */
export type Page = {
  readonly deployments: readonly Deployment[]
  readonly older: number | null
  readonly now: Date
}

const columns = {
  id: deployments.id,
  message: deployments.message,
  url: deployments.url,
  category: deployments.category,
  deployedAt: deployments.deployedAt,
  poster: { id: users.id, username: users.username, name: users.name },
}

const databaseNow = sql`statement_timestamp()`.mapWith(deployments.deployedAt)

/** The newest deployments of a filter, one page of them, by id and never by offset. */
export async function listDeployments(db: Db, filter: Filter): Promise<Page> {
  const rows = await db.run((queries) =>
    queries
      .select({ ...columns, now: databaseNow })
      .from(deployments)
      .innerJoin(users, eq(users.id, deployments.userId))
      .where(and(...inPart(filter), ...(filter.before === null ? [] : [lt(deployments.id, filter.before)])))
      .orderBy(desc(deployments.id))
      .limit(pageSize + 1),
  )
  const page = rows.slice(0, pageSize)
  return {
    deployments: page.map(({ now: _, ...deployment }) => deployment),
    older: rows.length > pageSize ? (page.at(-1)?.id ?? null) : null,
    now: rows[0]?.now ?? new Date(),
  }
}

/** The newest page of a part of the feed, and the last event that it holds: a stream goes on from there. */
export async function listNewest(db: Db, part: FeedFilter): Promise<Page & { readonly seen: number }> {
  // Read before the list, so that nothing falls between the list and the stream.
  const seen = await latestEventId(db)
  return { ...(await listDeployments(db, { ...part, before: null })), seen }
}

/** One deployment of a user and the database's time, or null where there is none. */
export async function findDeployment(
  db: Db,
  { username, id }: { username: string; id: number },
): Promise<{ deployment: Deployment; now: Date } | null> {
  const [row] = await db.run((queries) =>
    queries
      .select({ ...columns, now: databaseNow })
      .from(deployments)
      .innerJoin(users, eq(users.id, deployments.userId))
      .where(and(eq(deployments.id, id), eq(users.username, username))),
  )
  if (row === undefined) return null
  const { now, ...deployment } = row
  return { deployment, now }
}

/**
 * Deletes a deployment of its poster, takes it out of all that it counted for, and rings for those who watch.
 * False where the user has no such deployment.
 */
export async function withdrawDeployment(
  db: Db,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  return await db.run((queries) =>
    queries.transaction(async (transaction) => {
      await lockFeed(transaction)
      const [gone] = await transaction
        .delete(deployments)
        .where(and(eq(deployments.id, id), eq(deployments.userId, userId)))
        .returning(uncountedColumns)
      if (gone === undefined) return false
      await uncount(transaction, gone)
      await transaction.execute(sql`
        insert into withdrawals (id, deployment_id) values (nextval('deployments_id_seq'), ${id})`)
      await transaction.execute(ringBell)
      return true
    }),
  )
}
