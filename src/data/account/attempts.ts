import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { inMs, oneRowOf, rowsOf, texts } from '../../database/sql.ts'
import { type Limit, secondsUntilFree } from '../../domain/account/throttle.ts'

/** What is counted, for whom, and how often it may happen. */
export type Attempt = { readonly kind: string; readonly subject: string; readonly limit: Limit }

/** The instants of earlier attempts by kind and subject, in milliseconds and the oldest first. */
export type Attempts = readonly (readonly [kind: string, subject: string, instants: readonly number[]])[]

/** The earlier attempts of these subjects, as a JSON value of a statement. */
export function attemptsOf(wanted: readonly Attempt[]): SQL {
  return sql`(
    select coalesce(json_agg(json_build_array(a.kind, a.subject, ${instantsInMs})), '[]')
    from attempts a join (${asRows(wanted)}) w using (kind, subject))`
}

/** Seconds until none of these is at its limit, null if none is now. `now` is in milliseconds. */
export function retryAfter(wanted: readonly Attempt[], earlier: Attempts, now: number): number | null {
  const waits = wanted.map(({ kind, subject, limit }) => {
    const [, , instants = []] = earlier.find((row) => row[0] === kind && row[1] === subject) ?? []
    return secondsUntilFree(instants, limit, now) ?? 0
  })
  return Math.max(0, ...waits) || null
}

/** Seconds until none of these subjects is at its limit, null if none is now. Counts nothing. */
export async function readRetryAfter(db: Db, wanted: readonly Attempt[]): Promise<number | null> {
  const { earlier, now_ms } = await db.run((queries) =>
    oneRowOf<{ earlier: Attempts; now_ms: number }>(
      queries,
      sql`select ${attemptsOf(wanted)} as earlier, ${inMs(sql`now()`)} as now_ms`,
    ),
  )
  return retryAfter(wanted, earlier, now_ms)
}

/**
 * Counts an attempt of each subject. Gives null if all were within their limits, else the seconds to wait. Of
 * many at once, exactly as many get null as the limit has room for. Deletes a few expired attempts.
 */
export async function countAttempts(db: Db, wanted: readonly Attempt[]): Promise<number | null> {
  if (wanted.length === 0) return null
  const rows = await db.run((queries) =>
    rowsOf<{ kind: string; subject: string; instants: number[]; now_ms: number }>(
      queries,
      sql`
        with over as (
          delete from attempts where (kind, subject) in (
            select kind, subject from attempts
            where expires_at < now() and subject <> all(${texts(wanted.map(({ subject }) => subject))})
            order by expires_at limit 20 for update skip locked)
        )
        insert into attempts as a (kind, subject, instants, expires_at)
        select kind, subject, array[now()], now() + make_interval(hours => hours)
        from (${asRows(wanted)}) w
        order by kind, subject -- or two statements could wait for each other
        on conflict (kind, subject) do update set
          instants = array(
            select i from unnest(a.instants) i where i > now() - (excluded.expires_at - now()) order by i
          ) || now(),
          expires_at = excluded.expires_at
        returning kind, subject, ${instantsInMs} as instants, ${inMs(sql`now()`)} as now_ms`,
    ),
  )
  const earlier = rows.map(({ kind, subject, instants }) => [kind, subject, instants.slice(0, -1)] as const)
  return retryAfter(wanted, earlier, rows[0]?.now_ms ?? 0)
}

const instantsInMs = sql`(select json_agg(${inMs(sql`i`)} order by n) from unnest(a.instants) with ordinality u(i, n))`

function asRows(wanted: readonly Attempt[]): SQL {
  const kinds = texts(wanted.map(({ kind }) => kind))
  const subjects = texts(wanted.map(({ subject }) => subject))
  const hours = texts(wanted.map(({ limit }) => String(limit.hours)))
  return sql`select kind, subject, hours::int from unnest(${kinds}, ${subjects}, ${hours}) w(kind, subject, hours)`
}
