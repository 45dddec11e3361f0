import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { Migrating } from './errors.ts'

/** Either driver's query builder: the same SQL serves both. */
export type Queries = PgDatabase<PgQueryResultHKT>

export type Bell = {
  /** Whether it is listened to now: otherwise live feeds are up to 5 s late. Null where there is none to hear. */
  readonly isHeard: boolean | null
  stop(): Promise<void>
}

/** The one store. Every function of data/ takes it first. */
export type Db = {
  /** Runs queries under the deadline; throws Unavailable when the database cannot answer. */
  run<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * The same for queries that only read, and what anybody may see: on a standby where one is as fresh as the
   * primary (docs/architecture.md#standbys). Two of these may see two instants, in either order.
   */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * Runs queries that read, in one transaction which sees one instant and lasts as long as they do. Nobody
   * waits for it, and it has no deadline.
   */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Runs queries in one transaction without a deadline; on the embedded database, all others wait for it. */
  runAtLength<T>(work: (transaction: Queries) => Promise<T>): Promise<T>
  /** Resolves when the schema is in place; rejects when waiting cannot help, as with DatabaseUnusable. */
  readonly migrated: Promise<void>
  /** Calls `ring` whenever the feed may have something new, until the bell is stopped. */
  hearBell(ring: () => void): Bell
  close(): Promise<void>
  /** How many standbys may be read now, where there are any. */
  standbysRead?(): number
  /** Hears of each statement that answered a batch of calls: its name, how many, and for how long, in seconds. */
  readonly onStatement?: ((name: string, calls: number, seconds: number) => void) | undefined
}

/** What of the database is not ready now, null if it answers. */
export async function lacking(db: Db): Promise<'database' | 'migrations' | null> {
  return await db
    .run((queries) => queries.execute(sql`select 1`))
    .then(
      () => null,
      (error: unknown) => (error instanceof Migrating ? 'migrations' : 'database'),
    )
}
