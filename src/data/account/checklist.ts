import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { rowsOf } from '../../database/sql.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { type DeploymentRow, deploymentColumns, deploymentOf } from '../deployment-row.ts'
import { oldestOf } from '../feed-part.ts'
import { users } from './schema.ts'

/** How far a newcomer has come beyond the token: their first deployment, null before it. */
export type Checklist = { readonly first: Deployment | null }

/** What the checklist of a user's settings shows; null once they are through with it. Throws Unavailable. */
export async function readChecklist(db: Db, userId: number): Promise<Checklist | null> {
  const part = { userId, category: null, scope: null, environment: null }
  const [row] = await db.run((queries) =>
    rowsOf<DeploymentRow | { id: null }>(
      queries,
      sql`
        select ${deploymentColumns}
        from users left join (${oldestOf(part, {}, 1)}) deployments on true
        where users.id = ${userId} and shows_checklist`,
    ),
  )
  if (row === undefined) return null
  return { first: row.id === null ? null : deploymentOf(row) }
}

/** Ends the checklist for good. */
export async function endChecklist(db: Db, userId: number): Promise<void> {
  await db.run((queries) => queries.update(users).set({ showsChecklist: false }).where(eq(users.id, userId)))
}
