import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { inMs, oneRowOf } from '../../database/sql.ts'
import type { Search } from '../../domain/feed-event.ts'
import { batchSize, placesWithAll } from '../../domain/search/postings.ts'
import { firstRound, mostFound, mostRounds, nextRound } from '../../domain/search/rounds.ts'
import { askedTerms, type Term } from '../../domain/search/terms.ts'

/** The batches that a search looks into, `first` to `last`, and the id before which it looks. */
type Range = { readonly first: number; readonly last: number; readonly before: number }

/** What a round has found, the newest first, and the id down to which it has looked. */
export type Round = { readonly ids: readonly number[]; readonly reached: number }

type Found = {
  readonly found: readonly { readonly batch: number; readonly pages: readonly string[] }[]
  readonly took_ms: number
}

/**
 * Looks for the ids that have everything which is searched for, round by round, until the caller has enough or
 * there were as many rounds as a search has.
 */
export async function* candidates(
  db: Db,
  search: Search,
  { first, last, before }: Range,
): AsyncGenerator<Round> {
  const terms = askedTerms(search)
  let size = firstRound
  let from = last
  for (let round = 0; round < mostRounds && from >= first; round++) {
    const end = Math.max(first, from - size + 1)
    // Or others would have no turn on the embedded database between two rounds.
    await Bun.sleep(0)
    const { found, took_ms } = await db.run((queries) =>
      oneRowOf<Found>(queries, batchesWithAll(terms, { from, end })),
    )
    const reached = found.length < mostFound ? end : (found.at(-1)?.batch ?? end)
    const ids = found.flatMap(({ batch, pages }) =>
      placesWithAll(terms, pages)
        .map((place) => batch * batchSize + place)
        .filter((id) => id < before),
    )
    yield { ids, reached: reached * batchSize }
    size = nextRound(from - reached + 1, took_ms)
    from = reached - 1
  }
}

/**
 * The batches in which each term occurs, the newest first, with the lines of their pages: a walk over the pages of
 * the first term, and a probe for each of the others. And how long the database took for it.
 */
function batchesWithAll(terms: readonly Term[], { from, end }: { from: number; end: number }): SQL {
  const [walked, ...probed] = terms
  if (walked === undefined) throw new Error('a search that asks for nothing')
  const probes = probed.map(
    (term, n) => sql`
      cross join lateral (
        select ${linesOf(term)} as lines from search_pages
        where page = ${term.page} and batch = walked.batch and strpos(lines, ${startOf(term)}) > 0 limit 1
      ) ${sql.identifier(`probed_${n}`)}`,
  )
  const lines = probed.map((_, n) => sql`, ${sql.identifier(`probed_${n}`)}.lines`)
  return sql`
    select coalesce(json_agg(json_build_object('batch', batch, 'pages', pages)), '[]') as found,
      ${inMs(sql`clock_timestamp()`)} - ${inMs(sql`statement_timestamp()`)} as took_ms
    from (
      select batch, json_build_array(walked.lines${sql.join(lines)}) as pages
      from (
        select batch, ${linesOf(walked)} as lines from search_pages
        where page = ${walked.page} and batch between ${end} and ${from} and strpos(lines, ${startOf(walked)}) > 0
      ) walked ${sql.join(probes)}
      order by batch desc limit ${mostFound}::int
    ) with_all`
}

/** Its line of a page, or all from the first on that begins so. */
function linesOf(term: Term): SQL {
  const rest = sql`substr(lines, strpos(lines, ${startOf(term)}) + 1)`
  return term.isOneLine ? sql`E'\n' || split_part(${rest}, E'\n', 1)` : sql`E'\n' || ${rest}`
}

function startOf({ line }: Term): string {
  return `\n${line}`
}
