import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { Migrating } from './errors.ts'

/** The query builder of either driver: the same SQL serves both. */
export type Queries = PgDatabase<PgQueryResultHKT>

export type Bell = {
  /** Whether notifications arrive now; if not, live feeds are up to 5 s late. Null if the bell polls. */
  readonly isHeard: boolean | null
  stop(): Promise<void>
}

/**
 * Which connections a query may use. Some are reserved for queries whose number does not grow with the number
 * of requests: batches (batch.ts), the live feed and probes. Queries that individual requests send share the
 * others.
 */
export type Lane = 'reserved' | 'shared'

/**
 * What a write changes of the answers that `Db.remember` keeps: nothing, or those of the owners that it names
 * when it is done.
 */
export type Changes<T> = 'nothing' | ((result: T) => readonly string[])

/** The one store. Every function of data/ takes it as its first argument. */
export type Db = {
  /**
   * Runs queries under the deadline, by default in the shared lane. Throws Unavailable if unanswered. Queries
   * that do not say what they change may have changed every answer that `remember` keeps.
   */
  run<T>(work: (queries: Queries) => Promise<T>, lane?: Lane, changes?: Changes<T>): Promise<T>
  /**
   * Runs queries that only read public data, on a standby if one is as fresh as the primary
   * (docs/architecture.md#standbys). Two calls may see two instants, in either order.
   */
  read<T>(work: (queries: Queries) => Promise<T>, lane?: Lane): Promise<T>
  /**
   * Runs queries that only read, in one transaction that sees one instant. It has no deadline, and no other
   * query waits for it.
   */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Runs queries in one transaction without a deadline. On the embedded database, all others wait. */
  runAtLength<T>(work: (transaction: Queries) => Promise<T>): Promise<T>
  /**
   * Answers from memory if nothing that was written since can have changed the answer, otherwise by `read`.
   * Missing on Postgres, which other processes may write.
   */
  remember?<Answer>(owner: string, key: string, read: () => Promise<Answer>): Promise<Answer>
  /** Resolves when the schema is in place. Rejects if waiting cannot help, as with DatabaseUnusable. */
  readonly migrated: Promise<void>
  /** Calls `ring` whenever the feed may have something new, until the bell is stopped. */
  hearBell(ring: () => void): Bell
  close(): Promise<void>
  /** The number of standbys that may be read now. Missing if none is configured. */
  standbysRead?(): number
  /** Called after each statement of a batch, with its name, the number of calls in it, and its duration. */
  readonly onStatement?: ((name: string, calls: number, seconds: number) => void) | undefined
}

/** Which part of the database is not ready; null if all of it is. */
export async function lacking(db: Db): Promise<'database' | 'migrations' | null> {
  return await db
    .run((queries) => queries.execute(sql`select 1`), 'reserved', 'nothing')
    .then(
      () => null,
      (error: unknown) => (error instanceof Migrating ? 'migrations' : 'database'),
    )
}

/** The kinds of news about a database. Each is the name of an event in the log. */
export type DatabaseEvent =
  | 'database_opening'
  | 'database_waiting'
  | 'database_migrating'
  | 'database_ready'
  | 'database_unsafe'
  | 'database_plain'
  | 'database_shared'
  | 'database_lost'
  | 'database_replaced'
  | 'database_moved'
  | 'database_back'
  | 'bell_lost'
  | 'bell_back'
  | 'standby_left'
  | 'standby_back'

/** Reports news to the operator, in one sentence. */
export type Report = (news: string, event?: DatabaseEvent) => void
