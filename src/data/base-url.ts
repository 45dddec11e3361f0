import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { servedAt } from './schema.ts'

/** Notes the public address of the service, for commands that run without its settings. Throws Unavailable. */
export async function noteBaseUrl(db: Db, baseUrl: string): Promise<void> {
  await db.write((queries) =>
    queries
      .insert(servedAt)
      .values({ baseUrl })
      .onConflictDoUpdate({
        target: servedAt.isOnly,
        set: { baseUrl },
        setWhere: sql`${servedAt.baseUrl} <> excluded.base_url`,
      }),
  )
}

/** The address that the service noted when it last started; null if none did. Throws Unavailable. */
export async function readBaseUrl(db: Db): Promise<string | null> {
  const [served] = await db.readPrimary((queries) => queries.select().from(servedAt))
  return served?.baseUrl ?? null
}
