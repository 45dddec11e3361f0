import { and, eq, lt, sql } from 'drizzle-orm'
import { ringBell } from '../database/bell.ts'
import type { Db } from '../database/db.ts'
import { nowInMs, rowsOf } from '../database/sql.ts'
import type { Deployment } from '../domain/deployment.ts'
import type { FeedFilter } from '../domain/feed-event.ts'
import { type DeploymentRow, deploymentColumns, deploymentOf } from './deployment-row.ts'
import { latestEvent, latestEventId } from './event-log.ts'
import { inPart } from './feed-part.ts'
import { lockFeed } from './recording.ts'
import { deployments } from './schema.ts'
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

/** The newest deployments of a filter, one page of them, by id and never by offset. */
export async function listDeployments(db: Db, filter: Filter): Promise<Page> {
  const { seen: _, ...page } = await readPage(db, filter)
  return page
}

/** The newest page of a part of the feed, and the last event that it holds: a stream goes on from there. */
export async function listNewest(db: Db, part: FeedFilter): Promise<Page & { readonly seen: number }> {
  const { seen, ...page } = await readPage(db, { ...part, before: null })
  if (seen !== null) return { ...page, seen }
  // No row told it. Read before the list, so that nothing falls between the list and the stream.
  const last = await latestEventId(db)
  return { ...(await listDeployments(db, { ...part, before: null })), seen: last }
}

type PageRow = DeploymentRow & { readonly now_ms: number; readonly seen: string }

/** A page and, unless it is empty, the last event of the same instant. */
async function readPage(
  db: Db,
  { before, ...part }: Filter,
): Promise<Page & { readonly seen: number | null }> {
  const conditions = [...inPart(part), ...(before === null ? [] : [lt(deployments.id, before)])]
  const rows = await db.run((queries) =>
    rowsOf<PageRow>(
      queries,
      sql`
        select ${deploymentColumns}, ${nowInMs} as now_ms, ${latestEvent} as seen
        from deployments join users on users.id = deployments.user_id
        where ${and(...conditions) ?? sql`true`}
        order by deployments.id desc limit ${pageSize + 1}`,
    ),
  )
  const page = rows.slice(0, pageSize).map(deploymentOf)
  const [first] = rows
  return {
    deployments: page,
    older: rows.length > pageSize ? (page.at(-1)?.id ?? null) : null,
    now: first === undefined ? new Date() : new Date(first.now_ms),
    seen: first === undefined ? null : Number(first.seen),
  }
}

/** One deployment of a user and the database's time, or null where there is none. */
export async function findDeployment(
  db: Db,
  { username, id }: { username: string; id: number },
): Promise<{ deployment: Deployment; now: Date } | null> {
  const [row] = await db.run((queries) =>
    rowsOf<DeploymentRow & { now_ms: number }>(
      queries,
      sql`
        select ${deploymentColumns}, ${nowInMs} as now_ms
        from deployments join users on users.id = deployments.user_id
        where deployments.id = ${id} and username = ${username}`,
    ),
  )
  return row === undefined ? null : { deployment: deploymentOf(row), now: new Date(row.now_ms) }
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
