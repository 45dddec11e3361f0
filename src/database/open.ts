import type { Db } from './db.ts'
import { openPostgres, type Ways } from './postgres/open.ts'
import type { Tell } from './tell.ts'

/** A Postgres address, or null for the embedded database in a directory. */
export type Location = Ways & { readonly databaseUrl: string | null; readonly dataDir: string }

/**
 * Opens the database of the configuration. The embedded one is migrated when this resolves; Postgres may
 * still be down then, and its migrations run as soon as it answers. `tell` takes news for the operator, a
 * sentence each. Throws DatabaseUnusable.
 */
export async function openDatabase(location: Location, tell: Tell = () => {}): Promise<Db> {
  const { databaseUrl, dataDir } = location
  if (databaseUrl !== null) return await openPostgres(databaseUrl, tell, location)
  // PGlite is half a megabyte of code, which a start on Postgres need not read.
  const { openEmbedded } = await import('./embedded/open.ts')
  return await openEmbedded(dataDir, tell)
}
