import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import type { Search } from '../../domain/feed/feed.ts'
import { beforeHistory } from '../../domain/history.ts'
import { mostRounds } from '../../domain/search/limits.ts'
import { withPosters } from '../deployments.ts'
import { oneRow } from '../statements.ts'
import { candidateRows, type FoundRow, leastLooked, mayBeIn, mostRead } from './tail.ts'

/** At most this many rows are compared in a round: a user has at most 20,000. */
const mostCompared = 5_000

/** The candidates for a search in history, and the id down to which it was compared; null if all of it was. */
type FoundInHistory = { readonly rows: readonly FoundRow[]; readonly reached: number | null }

/**
 * Reads the candidates from history with ids below `before`, the newest first and round by round. History is not
 * indexed: its ids lie too far apart for batches, and each user has little of it. Throws Unavailable.
 */
export async function searchHistory(db: Db, search: Search, before: number): Promise<FoundInHistory> {
  const rows: FoundRow[] = []
  let reached: number | null = Math.min(before, 0)
  for (let round = 0; round < mostRounds && reached !== null && rows.length < mostRead; round++) {
    // Gives others a turn on the embedded database between two rounds.
    await Bun.sleep(0)
    const read: Round = await db.run(oneRow<Round>(roundBelow(search, reached ?? 0)))
    rows.push(...read.rows)
    reached = reachedBy(read)
  }
  return { rows, reached }
}

/** `stopped` is the first id that was not compared because the round was out of time, `oldest` the last read. */
type Round = {
  readonly rows: readonly FoundRow[]
  readonly walked: number
  readonly oldest: number | null
  readonly stopped: number | null
}

function reachedBy({ rows, walked, oldest, stopped }: Round): number | null {
  const last = rows.at(-1)
  if (stopped !== null) return stopped + 1
  if (rows.length === mostRead && last !== undefined) return last.id
  return walked < mostCompared ? null : oldest
}

function roundBelow(search: Search, top: number): SQL {
  const { userId } = search
  const walked =
    userId === null
      ? sql`select * from deployments where id > ${beforeHistory} and id < ${top} order by id desc`
      : sql`
          select * from deployments where user_id = ${userId} and id > ${beforeHistory} and id < ${top}
          order by user_id desc, id desc`
  return sql`
    with walked as materialized (${walked} limit ${mostCompared}),
    looked as (select min(id) as last from (select id from walked order by id desc limit ${leastLooked}) least),
    found as materialized (
      select deployments.*, is_late
      from (select walked.*, looked.last + ${leastLooked}::int as top from walked, looked) deployments${candidateRows(search)}
      where true${mayBeIn(search)}
      order by id desc limit ${mostRead}
    )
    select (select count(*) from walked) as walked, (select min(id) from walked) as oldest,
      (select max(id) from found where is_late) as stopped,
      (
        select coalesce(json_agg(page), '[]')
        from (${withPosters(sql`select * from found where not is_late`, sql`, scopes`)}) page
      ) as rows`
}
