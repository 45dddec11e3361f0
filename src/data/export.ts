import { and, desc, eq, lt } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import type { Category } from '../domain/category.ts'
import { deployments } from './schema.ts'

const chunkSize = 500

/** What its owner gave of a deployment, and what became of it. */
export type ExportedDeployment = {
  readonly id: number
  readonly message: string
  readonly url: string | null
  readonly category: Category | null
  readonly environment: string | null
  readonly version: string | null
  readonly commit: string | null
  readonly idempotencyKey: string | null
  readonly deployedAt: Date
}

/**
 * Every deployment of a user, the newest first and in chunks: a million are never in memory at once, and no
 * transaction waits for a slow reader. Throws Unavailable.
 */
export async function* exportDeployments(
  db: Db,
  userId: number,
): AsyncGenerator<readonly ExportedDeployment[], void> {
  let chunk = await readChunk(db, userId, Number.MAX_SAFE_INTEGER)
  while (chunk.length > 0) {
    yield chunk
    const last = chunk.at(-1)
    chunk = last === undefined || chunk.length < chunkSize ? [] : await readChunk(db, userId, last.id)
  }
}

async function readChunk(db: Db, userId: number, before: number): Promise<readonly ExportedDeployment[]> {
  return await db.run((queries) =>
    queries
      .select({
        id: deployments.id,
        message: deployments.message,
        url: deployments.url,
        category: deployments.category,
        environment: deployments.environment,
        version: deployments.version,
        commit: deployments.commit,
        idempotencyKey: deployments.idempotencyKey,
        deployedAt: deployments.deployedAt,
      })
      .from(deployments)
      .where(and(eq(deployments.userId, userId), lt(deployments.id, before)))
      .orderBy(desc(deployments.id))
      .limit(chunkSize),
  )
}
