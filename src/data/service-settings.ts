import { sql } from 'drizzle-orm'
import type { Db, Queries } from '../database/db.ts'
import { servedAt } from './schema.ts'

export type ServiceSettings = Omit<typeof servedAt.$inferSelect, 'isOnly'>

type Configured = Omit<ServiceSettings, 'proxySignsIn'> & { readonly trustedUser: object | null }

/** What commands have to know of a configuration. */
export function serviceSettings(config: Configured): ServiceSettings {
  const { baseUrl, trustedUser, webhooks, streamsMax, backupEverySeconds } = config
  return { baseUrl, proxySignsIn: trustedUser !== null, webhooks, streamsMax, backupEverySeconds }
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
