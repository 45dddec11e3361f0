import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Category } from '../domain/category.ts'
import type { Deployment } from '../domain/deployment.ts'
import type { Db } from './database.ts'
import { lockFeed } from './recording.ts'
import { deployments, users } from './schema.ts'

export const pageSize = 25

/** Which deployments a list holds; null leaves that filter out. `before` is the id to page before. */
export type Filter = {
  readonly userId: number | null
  readonly category: Category | null
  readonly scope: string | null
  readonly before: number | null
}

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
      .where(and(...conditions(filter)))
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

function conditions({ userId, category, scope, before }: Filter): SQL[] {
  return [
    ...(userId === null ? [] : [eq(deployments.userId, userId)]),
    ...(category === null ? [] : [eq(deployments.category, category)]),
    ...(scope === null ? [] : [sql`${scope} = any(${deployments.scopes})`]),
    ...(before === null ? [] : [lt(deployments.id, before)]),
  ]
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
 * Deletes a deployment of its poster, and sets every scope that it counted for back to the one before.
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
        .returning({ scopes: deployments.scopes })
      if (gone === undefined) return false
      const scopes = sql`jsonb_array_elements_text(${JSON.stringify(gone.scopes)}::jsonb)`
      await transaction.execute(sql`
        delete from latest_deployments where user_id = ${userId} and scope in (select ${scopes})`)
      await transaction.execute(sql`
        insert into latest_deployments (user_id, scope, deployed_at)
        select ${userId}, s.scope, d.deployed_at
        from (select ${scopes} as scope) s
        cross join lateral (
          select deployed_at from deployments
          where user_id = ${userId} and s.scope = any(scopes) order by id desc limit 1
        ) d`)
      return true
    }),
  )
}
