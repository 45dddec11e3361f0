import type { Db } from '../../database/db.ts'
import type { Search } from '../../domain/feed/feed.ts'
import { type Count, mostCounted } from '../../domain/search/limits.ts'
import { batchSize, isExact } from '../../domain/search/postings.ts'
import { atOnce, belonging, candidates, type Findings, mostLooked, readFound } from './find.ts'
import { searchHistory } from './imported.ts'
import { mostRead, readTail } from './tail.ts'

/**
 * Counts the results of a search, of which the newest page is read already. It takes about as many steps as a page
 * may, and may count deployments that were withdrawn in the last seconds. Throws Unavailable.
 */
export async function countResults(db: Db, search: Search, page: Findings): Promise<Count> {
  const { deployments, older, rest, unindexed } = page
  const shown = deployments.length
  if (older === null) return { found: shown, isAll: rest === null && unindexed === null }
  let found = shown
  for await (const more of countsBelow(db, search, older)) {
    if (more === null) return { found, isAll: false }
    found += more
    if (found > mostCounted) return { found, isAll: false }
  }
  return { found, isAll: true }
}

/** The number of results in each step below an id; ends with null if not everything was searched. */
async function* countsBelow(db: Db, search: Search, before: number): AsyncGenerator<number | null> {
  let looked = 0
  let tail = await readTail(db, search, before)
  yield (await belonging(search, tail.rows)).length
  while (tail.reached > tail.start) {
    looked += mostRead
    if (tail.rows.length < mostRead || looked >= mostLooked) return yield null
    tail = await readTail(db, search, tail.reached)
    yield (await belonging(search, tail.rows)).length
  }
  const { first, last, oldest } = tail
  if (first !== null && last !== null) {
    const top = Math.min(last, Math.floor((before - 1) / batchSize))
    let reached = (top + 1) * batchSize
    for await (const round of candidates(db, search, { first, last: top, before })) {
      if (isExact(search)) yield round.ids.length
      else {
        for (let at = 0; at < round.ids.length; at += atOnce) {
          if (looked >= mostLooked) return yield null
          yield (await readFound(db, search, round.ids.slice(at, at + atOnce))).length
          looked += atOnce
        }
      }
      reached = round.reached
    }
    if (reached > first * batchSize || (oldest !== null && oldest < first * batchSize)) return yield null
  }
  const history = await searchHistory(db, search, Math.min(before, 0))
  yield (await belonging(search, history.rows)).length
  if (history.reached !== null) yield null
}
