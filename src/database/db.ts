import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { Damaged, damageIn, isOutage, isRefusedForNow, Migrating, Unavailable } from './errors.ts'

export type Queries = PgDatabase<PgQueryResultHKT>

export type Work<T> = (queries: Queries) => Promise<T>

export type Bell = {
  /** False: live feeds are up to 5 s late. Null: the bell polls. */
  readonly isHeard: boolean | null
  stop(): Promise<void>
}

/** Reserved: for queries that stay few however many requests there are, such as batches, the live feed and probes. */
export type Lane = 'reserved' | 'shared'

type Call = <T>(work: Work<T>, lane?: Lane) => Promise<T>

/**
 * Each function throws Unavailable if the database cannot answer, the first three after `deadlineMs`. So does every
 * function that reads or writes through a Db, unless its comment says otherwise.
 */
export type Db = {
  /** Reads public data, perhaps from a standby (docs/architecture.md#standbys): a later call may see older data. */
  read: Call
  /** Reads from the primary: what belongs to one account, and what several statements must see in order. */
  readPrimary: Call
  /** Writes, and may read what it decides by. */
  write: Call
  /** Only reads, in one transaction that sees one instant, without a deadline. Other queries can run while it does. */
  snapshot<T>(work: Work<T>): Promise<T>
  /** Writes in one transaction without a deadline. */
  writeAtLength<T>(work: Work<T>): Promise<T>
  /** Throws Unavailable if the disk of a local database is nearly full. Called before what takes much space. */
  requireSpace?(): void
  /** Resolves when the schema is in place, or after `close` if that is called first. Rejects if waiting cannot help. */
  readonly migrated: Promise<void>
  /** Calls `ring` whenever the feed may have something new, until the bell is stopped. */
  hearBell(ring: () => void): Bell
  close(): Promise<void>
  readonly onStatement?: ((name: string, calls: number, seconds: number) => void) | undefined
}

/** A call is abandoned after this, so that a pipeline has its answer within 2.5 s (docs/decisions.md#operation). */
export const deadlineMs = 2_000

/** With less time left than this, a query is not sent again. */
const retryMs = 500

/** How many callers of each lane may wait. Without a limit, callers of a hung database would pile up. */
const maxRunning: Readonly<Record<Lane, number>> = { reserved: 500, shared: 300 }

/** Gives up when performance.now() reaches `until`. */
export type Run = <T>(work: Work<T>, until: number, lane: Lane) => Promise<T>

/** Why no query is sent yet; null once the database is ready. */
export type Readiness = { refusal: Error | null }

/**
 * Makes a function of `Db`. The result bounds how many callers of a lane wait, and turns outages into Unavailable.
 * If the server says that it did nothing, the queries are sent once more. While there is a refusal, throws it.
 */
export function guard(run: Run, readiness: Readiness = { refusal: null }): Call {
  const running = { reserved: 0, shared: 0 }

  return async function guarded<T>(work: Work<T>, lane: Lane = 'shared'): Promise<T> {
    if (readiness.refusal !== null) throw readiness.refusal
    if (running[lane] >= maxRunning[lane]) throw new Unavailable('too many queries are waiting')
    const until = performance.now() + deadlineMs
    running[lane] += 1
    try {
      return await run(work, until, lane).catch((error: unknown) => {
        if (!isRefusedForNow(error) || performance.now() > until - retryMs) throw error
        return run(work, until, lane)
      })
    } catch (error) {
      if (error instanceof Unavailable || !isOutage(error)) throw damageIn(error) ?? error
      throw damageIn(error) ?? new Unavailable('outage', { cause: error })
    } finally {
      // Runs even after a query that is never answered: its slot must not be lost.
      running[lane] -= 1
    }
  }
}

/** Settles like `result`. If performance.now() reaches `until` first, calls `onMissed` and throws Unavailable. */
export function settleBy<T>(until: number, result: Promise<T>, onMissed: () => void = () => {}): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const miss = () => {
    onMissed()
    reject(new Unavailable('no answer within the deadline'))
  }
  // In a busy process, `until` may already have passed, and Bun would warn about a negative delay.
  const timer = setTimeout(miss, Math.max(0, until - performance.now()))
  return Promise.race([result, promise]).finally(() => clearTimeout(timer))
}

/** What keeps the database from serving: it does not answer a probe, is being migrated, or is damaged. Null for nothing. */
export type Lack = 'database' | 'migrations' | 'damage' | null

export async function lacking(db: Db, probe: Work<unknown>): Promise<Lack> {
  try {
    await db.readPrimary(probe, 'reserved')
    return null
  } catch (error) {
    if (error instanceof Damaged) return 'damage'
    return error instanceof Migrating ? 'migrations' : 'database'
  }
}

type DatabaseEvent =
  | 'database_opening'
  | 'database_moving'
  | 'database_waiting'
  | 'database_migrating'
  | 'database_ready'
  | 'database_unsafe'
  | 'database_plain'
  | 'database_shared'
  | 'database_lost'
  | 'database_ended'
  | 'database_trouble'
  | 'disk_full'
  | 'disk_freed'
  | 'database_replaced'
  | 'database_moved'
  | 'database_back'
  | 'bell_lost'
  | 'bell_back'
  | 'standby_left'
  | 'standby_back'

/** Tells the operator one sentence. `event` is its name in the log. */
export type Report = (news: string, event?: DatabaseEvent) => void

export async function rowsOf<Row>(queries: Queries, statement: SQL): Promise<readonly Row[]> {
  return rowsIn(await queries.execute(statement))
}

/** PGlite, from which a database may be moved, returns an object with the rows. */
function rowsIn<Row>(result: unknown): readonly Row[] {
  return (Array.isArray(result) ? result : (result as { rows: unknown[] }).rows) as Row[]
}

/** For a statement that always returns a row, such as an aggregate. */
export async function oneRowOf<Row>(queries: Queries, statement: SQL): Promise<Row> {
  return firstOf(await rowsOf<Row>(queries, statement))
}

function firstOf<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement that always returns a row returned none')
  return row
}

/** Whether a table exists. `name` includes its schema. */
export async function hasTable(queries: Queries, name: string): Promise<boolean> {
  const asked = sql.raw(`select to_regclass('${name}') is not null as "isThere"`)
  return (await oneRowOf<{ isThere: boolean }>(queries, asked)).isThere
}

/** Runs a statement with $1, $2, … in its text. For the most frequent ones: Drizzle would build the text each time. */
export async function rowOfWritten<Row>(queries: Queries, text: string, values: string[] = []): Promise<Row> {
  const query = { sql: text, params: values }
  const prepared = queries._.session.prepareQuery(query, undefined, undefined, false)
  return firstOf(rowsIn<Row>(await prepared.execute()))
}

/** An array parameter, for `unnest` and `= any`; null elements stay null. */
export function texts(values: readonly (string | null)[]): SQL {
  return sql`${sql.param(values)}::text[]`
}

/**
 * Milliseconds since 1970, because the two drivers return timestamps in different forms. Computed from whole
 * microseconds, so that the result is exact. `extract` is exact too, but takes three times as long.
 */
export function inMs(instant: SQL): SQL {
  return sql`(round(date_part('epoch', ${instant}) * 1000000) / 1000)`
}

/** By the database's clock, from which all ages are computed. */
export const nowInMs = inMs(sql`statement_timestamp()`)

export async function databaseNow(db: Db): Promise<Date> {
  const asked = sql`select ${nowInMs} as now_ms`
  const { now_ms } = await db.read((queries) => oneRowOf<{ now_ms: number }>(queries, asked))
  return new Date(now_ms)
}

export const chunkSize = 500

/** Each chunk is read at its own instant. `read` gives the next `chunkSize` rows after a place, or fewer at the end. */
export async function* chunked<Row, Place>(
  first: Place,
  placeOf: (row: Row) => Place,
  read: (from: Place) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  let last: Row | undefined
  do {
    const rows: readonly Row[] = await read(last === undefined ? first : placeOf(last))
    if (rows.length > 0) yield rows
    last = rows.length < chunkSize ? undefined : rows.at(-1)
  } while (last !== undefined)
}
