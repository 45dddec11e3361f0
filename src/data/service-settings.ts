import { sql } from 'drizzle-orm'
import type { Db, Queries } from '../database/db.ts'
import { servedAt } from './tables.ts'

export type ServiceSettings = Omit<typeof servedAt.$inferSelect, 'isOnly'>

/** What commands have to know of a configuration, and of what its capabilities note. */
export function serviceSettings(
  { baseUrl, streamsMax }: Pick<ServiceSettings, 'baseUrl' | 'streamsMax'>,
  noted: readonly Partial<ServiceSettings>[],
): ServiceSettings {
  const own = { baseUrl, streamsMax, proxySignsIn: false, webhooks: 'off', backupEverySeconds: null }
  return Object.assign(own, ...noted)
}

/** Notes what the service runs with, for commands that run without its settings. */
export async function noteSettings(db: Db, settings: ServiceSettings): Promise<void> {
  await db.write((queries) =>
    queries
      .insert(servedAt)
      .values(settings)
      .onConflictDoUpdate({
        target: servedAt.isOnly,
        set: settings,
        setWhere: sql`${servedAt} is distinct from excluded`,
      }),
  )
}

/** What the service noted when it last started; null if it never did. */
export async function readSettings(queries: Queries): Promise<ServiceSettings | null> {
  const [noted] = await queries.select().from(servedAt)
  return noted ?? null
}
