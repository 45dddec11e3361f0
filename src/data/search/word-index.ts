import { type SQL, sql } from 'drizzle-orm'
import { type Db, inMs, type Queries, rowsOf, texts } from '../../database/db.ts'
import { gently } from '../../database/locks-and-pacing.ts'
import type { Search } from '../../domain/feed/feed-and-page-sizes.ts'
import {
  askedTerms,
  batchSize,
  firstRound,
  mostFound,
  mostRounds,
  nextRound,
  pagesOf,
  placesWithAll,
  type Term,
  termsOf,
} from '../../domain/search/postings.ts'
import { deploymentColumns, deploymentOf, type FoundRow } from '../deployments.ts'
import { latestEvent, oneRow, oneValue } from '../statements.ts'

/** How many deployments are read for words before other work gets a turn. */
const perTurn = 64

/**
 * Indexes the words that are not indexed yet: batches that have become complete, then batches with changes or
 * deletions, then older ones, the newest first. Throws Unavailable; the next call then goes on.
 */
export async function indexWords(db: Db): Promise<void> {
  while (await gently(() => indexNext(db))) {}
}

async function indexNext(db: Db): Promise<boolean> {
  const number = await db.readPrimary(nextBatch)
  if (number === null) return false
  const batch = await db.readPrimary(readBatch(number))
  const pages = pagesOf(await placesOf(batch.rows))
  const write = (transaction: Queries) => writeBatch(transaction, number, batch, pages)
  await db.write((queries) => queries.transaction(write))
  return true
}

/** Ids are in commit order, so a batch is complete as soon as there is a later id. */
const nextBatch = oneValue<number | null>(sql`
  with log as (
    select (${latestEvent} + 1) / ${batchSize}::bigint as whole,
      (select min(id) from deployments where id > 0) / ${batchSize}::bigint as oldest
  ),
  indexed as (select min(batch) as first, max(batch) as last from search_batches)
  select (case
    when last is null then case when whole > oldest then whole - 1 end
    when last + 1 < whole then last + 1
    else coalesce(
      (select max(batch) from search_changes where batch between first and last),
      case when first > oldest then first - 1 end
    )
  end)::int as next
  from log, indexed`)

type Batch = {
  readonly rows: readonly FoundRow[]
  /** The version of the batch in the index; null if it is not indexed yet. */
  readonly version: number | null
  readonly changes: readonly number[]
}

function readBatch(batch: number) {
  return oneRow<Batch>(sql`
    select
      (select version from search_batches where batch = ${batch}) as version,
      (select coalesce(json_agg(id), '[]') from search_changes where batch = ${batch}) as changes,
      (
        select coalesce(json_agg(read), '[]') from (
          select ${deploymentColumns}, scopes from deployments
          cross join lateral (select id, username, name from users where id = user_id limit 1) users
          where deployments.id >= ${batch * batchSize}::bigint
            and deployments.id < ${(batch + 1) * batchSize}::bigint
          order by deployments.id
        ) read
      ) as rows`)
}

async function placesOf(rows: readonly FoundRow[]): Promise<Map<string, number[]>> {
  const places = new Map<string, number[]>()
  for (const [n, row] of rows.entries()) {
    if (n % perTurn === perTurn - 1) await Bun.sleep(0)
    for (const term of termsOf(deploymentOf(row), row.scopes)) {
      const known = places.get(term)
      if (known === undefined) places.set(term, [row.id % batchSize])
      else known.push(row.id % batchSize)
    }
  }
  return places
}

/** If two processes read the same batch, the second to write is ignored: it may have read older rows. */
async function writeBatch(
  transaction: Queries,
  batch: number,
  { version, changes }: Batch,
  pages: ReadonlyMap<string, string>,
): Promise<void> {
  const claim =
    version === null
      ? sql`insert into search_batches values (${batch}, 1) on conflict do nothing returning 1`
      : sql`update search_batches set version = version + 1 where batch = ${batch} and version = ${version} returning 1`
  if ((await rowsOf(transaction, claim)).length === 0) return
  if (version !== null) await transaction.execute(sql`delete from search_pages where batch = ${batch}`)
  await transaction.execute(sql`
    insert into search_pages (page, batch, lines)
    select page, ${batch}, lines from unnest(${texts([...pages.keys()])}, ${texts([...pages.values()])}) as p(page, lines)`)
  await transaction.execute(sql`
    delete from search_changes
    where id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(changes)}::jsonb))`)
}

export type Range = { readonly first: number; readonly last: number; readonly before: number }

/** The ids that a round has found, the newest first, and the id down to which it has looked. */
type Round = { readonly ids: readonly number[]; readonly reached: number }

type Found = {
  readonly found: readonly { readonly batch: number; readonly pages: readonly string[] }[]
  readonly took_ms: number
}

/** Finds the ids of deployments that have all terms of a search, in at most `mostRounds` rounds. */
export async function* candidates(db: Db, search: Search, range: Range): AsyncGenerator<Round> {
  const { first, last, before } = range
  const terms = askedTerms(search)
  let size = firstRound
  let from = last
  for (let round = 0; round < mostRounds && from >= first; round++) {
    const end = Math.max(first, from - size + 1)
    const { found, took_ms } = await db.readPrimary(oneRow<Found>(batchesWithAll(terms, { from, end })))
    const reached = found.length < mostFound ? end : (found.at(-1)?.batch ?? end)
    const ids = found.flatMap(({ batch, pages }) =>
      placesWithAll(terms, pages).map((place) => batch * batchSize + place),
    )
    yield { ids: ids.filter((id) => id < before), reached: reached * batchSize }
    size = nextRound(from - reached + 1, took_ms)
    from = reached - 1
  }
}

/** The batches with all terms: a walk over the pages of the first term, and a probe for each other term. */
function batchesWithAll(terms: readonly Term[], { from, end }: { from: number; end: number }): SQL {
  const [walked, ...probed] = terms
  if (walked === undefined) throw new Error('a search has no terms')
  const probes = probed.map(
    (term, n) => sql`
      cross join lateral (
        select ${linesWith(term)} as lines from search_pages
        where page = ${term.page} and batch = walked.batch and strpos(lines, ${lineStart(term)}) > 0 limit 1
      ) ${sql.identifier(`probed_${n}`)}`,
  )
  const lines = probed.map((_, n) => sql`, ${sql.identifier(`probed_${n}`)}.lines`)
  return sql`
    select coalesce(json_agg(json_build_object('batch', batch, 'pages', pages)), '[]') as found,
      ${inMs(sql`clock_timestamp()`)} - ${inMs(sql`statement_timestamp()`)} as took_ms
    from (
      select batch, json_build_array(walked.lines${sql.join(lines)}) as pages
      from (
        select batch, ${linesWith(walked)} as lines from search_pages
        where page = ${walked.page} and batch between ${end} and ${from} and strpos(lines, ${lineStart(walked)}) > 0
      ) walked ${sql.join(probes)}
      order by batch desc limit ${mostFound}::int
    ) with_all`
}

/** The line of a term in its page, or for a prefix, all lines from the first match on. */
function linesWith(term: Term): SQL {
  const rest = sql`substr(lines, strpos(lines, ${lineStart(term)}) + 1)`
  return term.isOneLine ? sql`E'\n' || split_part(${rest}, E'\n', 1)` : sql`E'\n' || ${rest}`
}

const lineStart = ({ line }: Term) => `\n${line}`
