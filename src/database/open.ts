import { sql } from 'drizzle-orm'
import { type Db, deadlineMs, inMs, oneRowOf, type Queries, type Report, settleBy } from './db.ts'
import { openLocal } from './local/open.ts'
import { openServer } from './local/server.ts'
import { schemaState } from './migrations.ts'
import { openPostgres, type PostgresOptions } from './postgres/open.ts'
import { routeTo } from './postgres/pooler.ts'
import { checkServer } from './postgres/start.ts'
import { poolSettings } from './session-settings.ts'

type DatabaseLocation = PostgresOptions & {
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/** Postgres may be down: `migrated` resolves when it is ready. Throws DatabaseUnusable. */
export async function openDatabase(location: DatabaseLocation, report: Report = () => {}): Promise<Db> {
  const { databaseUrl, dataDir } = location
  return databaseUrl === null
    ? await openLocal(dataDir, report)
    : await openPostgres(databaseUrl, report, location)
}

/** For commands, which work while the service runs, and read only from the primary. Throws DatabaseUnusable. */
export async function joinDatabase(location: DatabaseLocation, report: Report): Promise<Db> {
  const { databaseUrl, dataDir } = location
  return databaseUrl === null
    ? await openLocal(dataDir, report, { joins: true })
    : await openPostgres(databaseUrl, report, location)
}

/** `hasSession` says whether NOTIFY can be heard on this database. */
type Read<T> = (queries: Queries, hasSession: boolean) => Promise<T>

/** Neither waits nor migrates. Would create a missing local database, so callers check that it exists. */
export async function lookInto<T>(location: DatabaseLocation, read: Read<T>): Promise<T> {
  const { databaseUrl, databaseListenUrl, dataDir } = location
  if (databaseUrl !== null) return await lookAt(databaseUrl, databaseListenUrl, read)
  const server = await openServer(dataDir, () => {}, { joins: true })
  try {
    await server.started
    return await lookAt(server.url, null, read)
  } finally {
    await server.stop()
  }
}

async function lookAt<T>(url: string, listenUrl: string | null | undefined, read: Read<T>): Promise<T> {
  const route = routeTo(url, listenUrl)
  await route.find()
  using connection = await route.connect(poolSettings)
  await checkServer(connection)
  return await settleBy(performance.now() + deadlineMs, read(connection.queries, route.hasSession))
}

export type DatabaseFacts = Awaited<ReturnType<typeof readDatabaseFacts>>

type Facts = { version: string; isReadOnly: boolean; isDurable: boolean; megabytes: number; now_ms: number }

/** `isDurable`: commits survive a crash of the machine. `aheadMs`: how far the database's clock is ahead of ours. */
export async function readDatabaseFacts(queries: Queries) {
  const schema = await schemaState(queries)
  const askedAt = Date.now()
  const asked = sql`
    select split_part(current_setting('server_version'), ' ', 1) as version, ${inMs(sql`clock_timestamp()`)} as now_ms,
      current_setting('transaction_read_only') = 'on' or pg_is_in_recovery() as "isReadOnly",
      current_setting('fsync') = 'on' as "isDurable",
      (pg_database_size(current_database()) / 1e6)::int as megabytes`
  const { now_ms, ...facts } = await oneRowOf<Facts>(queries, asked)
  return { ...facts, schema, aheadMs: now_ms - (askedAt + Date.now()) / 2 }
}
