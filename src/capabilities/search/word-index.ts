import { type SQL, sql } from 'drizzle-orm'
import { oneRow } from '../../data/statements.ts'
import { type Db, inMs } from '../../database/db.ts'
import { batchSize } from '../../domain/feed/id-batch.ts'
import {
  askedTerms,
  firstRound,
  maxFound,
  maxRounds,
  nextRound,
  placesWithAll,
  type Term,
} from './postings.ts'
import type { IdRange, WordSearch } from './search.ts'

/** The batches of a range of ids. */
export type Range = { readonly first: number; readonly last: number; readonly ids: IdRange }

/** The ids that a round has found, the newest first, and the id down to which it has looked. */
type Round = { readonly ids: readonly number[]; readonly reached: number }

type Found = {
  readonly found: readonly { readonly batch: number; readonly pages: readonly string[] }[]
  readonly took_ms: number
}

/** Finds the ids of deployments that have all terms of a search, in at most `maxRounds` rounds. */
export async function* candidates(db: Db, search: WordSearch, range: Range): AsyncGenerator<Round> {
  const { first, last, ids: of } = range
  const terms = askedTerms(search)
  let size = firstRound
  let from = last
  for (let round = 0; round < maxRounds && from >= first; round++) {
    const end = Math.max(first, from - size + 1)
    const { found, took_ms } = await db.readPrimary(oneRow<Found>(batchesWithAll(terms, { from, end })))
    const reached = found.length < maxFound ? end : (found.at(-1)?.batch ?? end)
    const ids = found.flatMap(({ batch, pages }) =>
      placesWithAll(terms, pages).map((place) => batch * batchSize + place),
    )
    yield { ids: ids.filter((id) => id >= of.first && id < of.end), reached: reached * batchSize }
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
      order by batch desc limit ${maxFound}::int
    ) with_all`
}

/** The line of a term in its page, or for a prefix, all lines from the first match on. */
function linesWith(term: Term): SQL {
  const rest = sql`substr(lines, strpos(lines, ${lineStart(term)}) + 1)`
  return term.isOneLine ? sql`E'\n' || split_part(${rest}, E'\n', 1)` : sql`E'\n' || ${rest}`
}

const lineStart = ({ line }: Term) => `\n${line}`
