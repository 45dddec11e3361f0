import { sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { rowsOf } from '../../database/sql.ts'
import type { Search } from '../../domain/feed-event.ts'
import { batchSize, placesWithAll } from '../../domain/search/postings.ts'
import { askedTerms } from '../../domain/search/terms.ts'

/** The batches that a search looks into, `first` to `last`, and the id before which it looks. */
type Range = { readonly first: number; readonly last: number; readonly before: number }

/** What a round has found, the newest first, and the id down to which it has looked. */
export type Round = { readonly ids: readonly number[]; readonly reached: number; readonly isLast: boolean }

/** How many batches that have all terms, somewhere, each round reads: the answer is mostly in the first. */
const rounds = [8, 64, 256, 256] as const

/** A walk over this many batches takes some milliseconds; they are 16 million ids. */
const mostWalked = 8_192

/** Looks for the ids that have everything which is searched for, round by round, until the caller has enough. */
export async function* candidates(
  db: Db,
  search: Search,
  { first, last, before }: Range,
): AsyncGenerator<Round> {
  const terms = askedTerms(search)
  const end = Math.max(first, last - mostWalked + 1)
  let from = last
  for (const most of rounds) {
    const found = await db.run((queries) =>
      rowsOf<{ batch: number; pages: readonly string[] }>(
        queries,
        batchesWithAll(terms, { from, end, most }),
      ),
    )
    const isLast = found.length < most
    const lowest = isLast ? end : (found.at(-1)?.batch ?? end)
    const ids = found.flatMap(({ batch, pages }) =>
      placesWithAll(terms, pages)
        .map((place) => batch * batchSize + place)
        .filter((id) => id < before),
    )
    yield { ids, reached: lowest * batchSize, isLast }
    if (isLast) return
    from = lowest - 1
  }
}

/**
 * The batches in which each term occurs, the newest first, with what their pages say from the term on: a walk
 * over the pages of the first term, and a probe for each of the others.
 */
function batchesWithAll(
  terms: ReturnType<typeof askedTerms>,
  { from, end, most }: { from: number; end: number; most: number },
) {
  const [walked, ...probed] = terms.map(({ page, line }) => ({ page, start: `\n${line}` }))
  const probes = probed.map(
    ({ page, start }, n) => sql`
      cross join lateral (
        select substr(lines, strpos(lines, ${start})) as lines from search_pages
        where page = ${page} and batch = walked.batch and strpos(lines, ${start}) > 0 limit 1
      ) ${sql.identifier(`probed_${n}`)}`,
  )
  const lines = probed.map((_, n) => sql`, ${sql.identifier(`probed_${n}`)}.lines`)
  return sql`
    select walked.batch,
      json_build_array(substr(walked.lines, strpos(walked.lines, ${walked?.start}))${sql.join(lines)}) as pages
    from search_pages walked ${sql.join(probes)}
    where walked.page = ${walked?.page} and walked.batch between ${end} and ${from}
      and strpos(walked.lines, ${walked?.start}) > 0
    order by walked.batch desc limit ${most}`
}
