import { type SQL, sql } from 'drizzle-orm'
import { type FoundRow, withPosters } from '../../data/deployments.ts'
import { facetConditions } from '../../data/facets.ts'
import { newestOf, type SeenAt } from '../../data/feed-pages.ts'
import { latestEvent, oneRow } from '../../data/statements.ts'
import { type Db, nowInMs } from '../../database/db.ts'
import { wholeFeed } from '../../domain/feed/feed.ts'
import { batchSize } from '../../domain/feed/id-batch.ts'
import { maxMarks } from '../../domain/field-parsing.ts'
import { releaseFields } from '../../domain/release/release.ts'
import { aimedMs, maxRounds } from './postings.ts'
import type { IdRange, WordSearch } from './search.ts'
import { allWords, isBeginning } from './words.ts'

/** Rows are compared one by one for at most this many ids: four batches that wait to be indexed. */
const maxWalked = 4 * batchSize
export const maxRead = 200
/** A round compares at least this many rows, however long that takes, so that each round makes progress. */
const minLooked = 32

export type Tail = SeenAt & {
  readonly rows: readonly FoundRow[]
  /** The id down to which they were compared. */
  readonly reached: number
  /** Nothing from this id on is indexed yet, or it is the first of the range. */
  readonly start: number
  readonly first: number | null
  readonly last: number | null
  readonly oldest: number | null
}

/** Reads the candidates of a range that are not indexed, the newest first. The bounds of the index are from the first round. */
export async function readTail(db: Db, search: WordSearch, ids: IdRange): Promise<Tail> {
  let { stopped, ...tail } = await readRound(db, search, ids)
  for (let round = 1; round < maxRounds && stopped !== null && tail.rows.length < maxRead; round++) {
    const next = await readRound(db, search, { ...ids, end: tail.reached })
    tail = { ...tail, rows: [...tail.rows, ...next.rows], reached: next.reached }
    stopped = next.stopped
  }
  return tail
}

/** `stopped` is the first id that was not compared because the round was out of time. */
type Round = Tail & { readonly stopped: number | null }

async function readRound(db: Db, search: WordSearch, { first, end }: IdRange): Promise<Round> {
  const statement = sql`
    with log as (
      select ${latestEvent} as seen, (select min(id) from deployments where id > 0) as oldest,
        (select min(batch) from search_batches) as first, (select max(batch) from search_batches) as last
    ),
    bounds as (
      select *, least(${end}::bigint, seen + 1) as top,
        greatest(${first}::bigint, coalesce((last + 1)::bigint * ${batchSize}, oldest, 0)) as start
      from log
    ),
    walked as (
      select newest.* from bounds cross join lateral (
        select deployments.*, is_late from deployments${candidateRows(search)}
        where id >= greatest(start, top - ${maxWalked}) and id < top${mayBeIn(search)}
        order by id desc limit ${maxRead}
      ) newest
    )
    select first, last, oldest, start, seen, ${nowInMs} as now_ms, greatest(start, top - ${maxWalked}) as reached,
      (select max(id) from walked where is_late) as stopped,
      ${rowsFrom(sql`select * from walked where not is_late`)} as rows
    from bounds`
  const round = await db.readPrimary(oneRow<Round>(statement))
  return { ...round, reached: reachedIn(round) ?? round.reached }
}

/** The id down to which a round has compared rows if it was out of time or full; otherwise null. */
function reachedIn({ rows, stopped }: Pick<Round, 'rows' | 'stopped'>): number | null {
  if (stopped !== null) return stopped + 1
  return rows.length < maxRead ? null : (rows.at(-1)?.id ?? null)
}

/** At most this many rows are compared in a round: a user has at most 20,000. */
const maxCompared = 5_000

/** The candidates for a search in history, and the id down to which it was compared; null if all of it was. */
type FoundImported = { readonly rows: readonly FoundRow[]; readonly reached: number | null }

/** Reads the candidates from history, whose ids lie too far apart for the index. */
export async function searchImported(db: Db, search: WordSearch, ids: IdRange): Promise<FoundImported> {
  const rows: FoundRow[] = []
  let reached: number | null = ids.end
  for (let round = 0; round < maxRounds && reached !== null && rows.length < maxRead; round++) {
    await Bun.sleep(0)
    const read: ImportedRound = await db.readPrimary(
      oneRow<ImportedRound>(roundOf(search, { ...ids, end: reached })),
    )
    rows.push(...read.rows)
    reached = reachedIn(read) ?? (read.walked < maxCompared ? null : read.oldest)
  }
  return { rows, reached }
}

/** `oldest` is the last id of those walked. */
type ImportedRound = Pick<Round, 'rows' | 'stopped' | 'oldest'> & { readonly walked: number }

function roundOf(search: WordSearch, { first, end }: IdRange): SQL {
  const { userId } = search
  const ofAll = sql`
    select * from deployments where id >= ${first} and id < ${end} order by id desc limit ${maxCompared}`
  const newest =
    userId === null
      ? ofAll
      : newestOf({ ...wholeFeed, userId }, { after: first - 1, before: end }, maxCompared)
  return sql`
    with walked as materialized (${newest}),
    looked as (select min(id) as last from (select id from walked order by id desc limit ${minLooked}) least),
    found as materialized (
      select deployments.*, is_late
      from (select walked.*, looked.last + ${minLooked}::int as top from walked, looked) deployments${candidateRows(search)}
      where true${mayBeIn(search)}
      order by id desc limit ${maxRead}
    )
    select (select count(*) from walked) as walked, (select min(id) from walked) as oldest,
      (select max(id) from found where is_late) as stopped,
      ${rowsFrom(sql`select * from found where not is_late`)} as rows`
}

function rowsFrom(relation: SQL): SQL {
  return sql`(select coalesce(json_agg(page), '[]') from (${withPosters(relation, sql`, scopes`)}) page)`
}

/** Conditions for a row that may match, to be added after others. For words, they need `candidateRows`. */
function mayBeIn(search: WordSearch): SQL {
  const { userId, scope, by } = search
  const words = allWords(search)
  const conditions = [
    userId === null ? undefined : sql` and user_id = ${userId}`,
    scope === null ? undefined : sql` and ${scope} = any(scopes)`,
    facetConditions(by),
    words.length === 0 ? undefined : sql` and (is_late or (${sql.join(words.map(mayHave), sql` and `)}))`,
  ]
  return sql.join(conditions.filter((condition) => condition !== undefined))
}

/** Joins what `mayBeIn` reads to the rows of `deployments`, with `is_late`. The column `top` bounds the newest rows. */
function candidateRows(search: WordSearch): SQL {
  return allWords(search).length > 0 ? compared() : sql` cross join (values (false)) never(is_late)`
}

/**
 * The text of a row in the form of capabilities/search/words.ts, except for the case of letters beyond ASCII; null
 * when the round is out of time. `offset 0` makes Postgres compute it only once per row.
 */
const compared = () => sql`
  cross join lateral (
    select id < top - ${minLooked}::int
      and clock_timestamp() > statement_timestamp() + ${aimedMs} * interval '1 ms' as is_late offset 0
  ) clock
  cross join lateral (
    select case when not is_late then concat_ws(' ', message, url, ${sql.raw(releaseFields.join(', '))}) end as raw offset 0
  ) r
  cross join lateral (
    select case when octet_length(raw) <> length(raw) then ${surplusMarksRemoved()} end as beyond_ascii offset 0
  ) k
  cross join lateral (
    select lower((
      case when beyond_ascii is null then raw
      when beyond_ascii is nfd normalized and beyond_ascii is nfc normalized then beyond_ascii
      else regexp_replace(normalize(beyond_ascii, nfd), '[\u0300-\u036f]+', '', 'g') end
    ) collate "C") as compared offset 0
  ) c`
const text = sql`compared`

/** All combining marks, for brackets in a regular expression of Postgres. Computing them takes some milliseconds. */
let marks: string | null = null

/** The same as withoutSurplusMarks of domain/field-parsing.ts. */
function surplusMarksRemoved(): SQL {
  marks ??= [0x0, 0x1, 0xe].map(rangesOfMarksIn).join('')
  return sql`regexp_replace(raw, ${`([${marks}]{${maxMarks}})[${marks}]+`}, '\\1', 'g')`
}

function rangesOfMarksIn(plane: number): string {
  const all = Array.from({ length: 0x1_0000 }, (_, n) => String.fromCodePoint(plane * 0x1_0000 + n))
  const runs = Array.from(all.join('').matchAll(/\p{M}+/gu), ([run]) => [...run])
  return runs.map((run) => `${run[0]}-${run.at(-1)}`).join('')
}

/** Holds for every row that has the word, and for few others, so that few rows are fetched in vain. */
function mayHave(word: string): SQL {
  if (!isBeginning(word) && /^[a-z\d]+$/.test(word)) {
    return sql`${text} ~ ${`(^|[^a-z0-9])${word}([^a-z0-9]|$)`}`
  }
  // Postgres converts letters beyond ASCII to lower case by its locale, so we do it ourselves.
  const lower = [...word].filter((letter) => letter > '\x7f' && isLowerOfOne(letter))
  const upper = lower.map((letter) => letter.toUpperCase())
  const cased = sql`translate(${text}, ${`ς${upper.join('')}`}, ${`σ${lower.join('')}`})`
  return sql`strpos(${lower.length === 0 ? text : cased}, ${word.normalize('NFD')}) > 0`
}

/** Whether a letter is the lower case of a single capital letter. That of ß consists of two letters. */
function isLowerOfOne(letter: string): boolean {
  const upper = letter.toUpperCase()
  return upper.length === letter.length && upper !== letter && upper.toLowerCase() === letter
}
