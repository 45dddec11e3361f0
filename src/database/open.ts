import type { Db, Report } from './db.ts'
import { openPostgres, type PostgresOptions } from './postgres/open.ts'

/** The Postgres of `databaseUrl` or, if that is null, the embedded database in `dataDir`. */
export type DatabaseLocation = PostgresOptions & {
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/**
 * Starts to open the configured database, which is ready once `migrated` resolves. Postgres may be down until
 * then: its migrations run as soon as it answers. Throws DatabaseUnusable.
 */
export async function openDatabase(location: DatabaseLocation, report: Report = () => {}): Promise<Db> {
  const { databaseUrl, dataDir } = location
  if (databaseUrl !== null) return await openPostgres(databaseUrl, report, location)
  // PGlite is half a megabyte of code, which a start on Postgres does not need.
  const { openEmbedded } = await import('./embedded/open.ts')
  return openEmbedded(dataDir, report)
}
