import { type SQL, sql } from 'drizzle-orm'
import { type Db, inMs, texts } from '../../database/db.ts'
import { type Limit, secondsUntilFree } from '../../domain/attempt-limits.ts'
import { allRows, oneRow } from '../statements.ts'

/** An attempt at something that src/domain/attempt-limits.ts limits. */
export type Attempt = CountedSubject & {
  /** Above `limit`, still admitted while `within` has room and the total is below `upTo`. */
  readonly beyond?: { readonly within: CountedSubject; readonly upTo: Limit }
}

type CountedSubject = { readonly kind: string; readonly subject: string; readonly limit: Limit }

/** The instants are in milliseconds, the oldest first. */
type Earlier = { readonly kind: string; readonly subject: string; readonly instants: readonly number[] }
export type Attempts = readonly Earlier[]

/** The earlier attempts of these subjects, as a JSON value of a statement. */
export function attemptsOf(wanted: readonly Attempt[]): SQL {
  return sql`(
    select coalesce(json_agg(json_build_object('kind', kind, 'subject', subject, 'instants', ${instantsInMs})), '[]')
    from attempts a join (${asRows(countedFor(wanted))}) w using (kind, subject))`
}

/** Seconds until all of these are admitted, null if they are admitted now. `now` is in milliseconds. */
export function retryAfter(wanted: readonly Attempt[], earlier: Attempts, now: number): number | null {
  const waitFor = ({ kind, subject, limit }: CountedSubject) => {
    const found = earlier.find((one) => one.kind === kind && one.subject === subject)
    return secondsUntilFree(found?.instants ?? [], limit, now) ?? 0
  }
  const waits = wanted.map((one) => {
    const wait = waitFor(one)
    if (one.beyond === undefined) return wait
    const { within, upTo } = one.beyond
    return Math.max(Math.min(wait, waitFor(within)), waitFor({ ...one, limit: upTo }))
  })
  return Math.max(0, ...waits) || null
}

/** Seconds until all of these are admitted, null if they are now. Counts nothing. */
export async function readRetryAfter(db: Db, wanted: readonly Attempt[]): Promise<number | null> {
  const statement = sql`select ${attemptsOf(wanted)} as earlier, ${inMs(sql`now()`)} as now_ms`
  const { earlier, now_ms } = await db.readPrimary(oneRow<{ earlier: Attempts; now_ms: number }>(statement))
  return retryAfter(wanted, earlier, now_ms)
}

/**
 * Counts an attempt for each subject. Null if all are admitted, else the seconds to wait. Of concurrent calls, exactly
 * as many get null as the limit admits.
 */
export async function countAttempts(db: Db, wanted: readonly Attempt[]): Promise<number | null> {
  if (wanted.length === 0) return null
  const counted = countedFor(wanted)
  const rows = await db.write(
    allRows<Earlier & { readonly now_ms: number }>(sql`
      with over as (
        delete from attempts where (kind, subject) in (
          select kind, subject from attempts
          where expires_at < now() and subject <> all(${texts(counted.map(({ subject }) => subject))})
          order by expires_at limit 20 for update skip locked)
      )
      insert into attempts as a (kind, subject, instants, expires_at)
      select kind, subject, array[now()], now() + make_interval(secs => 3600 * hours)
      from (${asRows(counted)}) w
      order by kind, subject -- otherwise two statements could wait for each other
      on conflict (kind, subject) do update set
        instants = array(
          select i from unnest(a.instants) i
          where i > now() - (excluded.expires_at - now()) and i < now() + interval '1 minute' order by i
        ) || now(),
        expires_at = excluded.expires_at
      returning kind, subject, ${instantsInMs} as instants, ${inMs(sql`now()`)} as now_ms`),
  )
  const earlier = rows.map((row) => ({ ...row, instants: row.instants.slice(0, -1) }))
  return retryAfter(wanted, earlier, rows[0]?.now_ms ?? 0)
}

/** Like `countAttempts`, but an attempt that is not admitted does not count. */
export async function admit(db: Db, wanted: readonly Attempt[]): Promise<number | null> {
  return (await readRetryAfter(db, wanted)) ?? (await countAttempts(db, wanted))
}

const instantsInMs = sql`(select json_agg(${inMs(sql`i`)} order by n) from unnest(a.instants) with ordinality u(i, n))`

function countedFor(wanted: readonly Attempt[]): CountedSubject[] {
  return wanted.flatMap((one) => (one.beyond === undefined ? [one] : [one, one.beyond.within]))
}

function asRows(wanted: readonly CountedSubject[]): SQL {
  const kinds = texts(wanted.map(({ kind }) => kind))
  const subjects = texts(wanted.map(({ subject }) => subject))
  const hours = texts(wanted.map(({ limit }) => String(limit.hours)))
  return sql`select kind, subject, hours::float8 from unnest(${kinds}, ${subjects}, ${hours}) w(kind, subject, hours)`
}
