import { and, desc, gte, lt, sql } from 'drizzle-orm'
import { deploymentOf, type FoundRow, withPosters } from '../../data/deployments.ts'
import { pageFrom } from '../../data/feed-pages.ts'
import { allRows } from '../../data/statements.ts'
import { deployments } from '../../data/tables.ts'
import { idsBetween } from '../../data/time-ranges.ts'
import type { Db } from '../../database/db.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { isIn, pageSize } from '../../domain/feed/feed.ts'
import { batchSize } from '../../domain/feed/id-batch.ts'
import { anyTime, type TimeRange } from '../../domain/feed/time-range.ts'
import { beforeImported, firstImportedFrom } from '../../domain/imported.ts'
import { isExact } from './postings.ts'
import { type Count, maxCounted } from './question.ts'
import { type IdRange, searchedPart, type WordSearch } from './search.ts'
import { maxRead, readTail, searchImported, type Tail } from './unindexed.ts'
import { candidates, type Range } from './word-index.ts'

const atOnce = 100
const maxLooked = 1_000
/** How many rows are compared per turn of the event loop: with long messages, that takes milliseconds. */
const perTurn = 8

/** A page of results with ids below `before` (null: the newest page), and without history if `after` is 0. */
export type SearchRequest = WordSearch & {
  readonly time?: TimeRange
  readonly before: number | null
  readonly after?: 0
  readonly limit?: number
}

/** The ids that a search looks at. Those of history are a range of their own. */
type Bounds = { readonly announced: IdRange; readonly imported: IdRange }

/** The deployments that a search has not looked at: those before an id, and the instant of their newest. */
type Rest = { readonly before: number; readonly at: Date }

type Findings = Awaited<ReturnType<typeof findDeployments>>

/** One page of results, the newest first. */
export async function findDeployments(db: Db, request: SearchRequest) {
  const { time = anyTime, before, after, limit = pageSize, ...search } = request
  const { announced, imported } = await boundsOf(db, time, before)
  const tail = await readTail(db, search, announced)
  const found = await belonging(search, tail.rows)
  let reached = await searchIndex(db, search, { ...announced, limit, tail, found })
  const isIndexed = found.length <= limit && reached === null
  const unindexed = isIndexed ? await unindexedIn(db, announced, tail) : null
  const hasHistory = after === undefined && imported.first < imported.end
  if (isIndexed && unindexed === null && hasHistory) {
    const history = await searchImported(db, search, imported)
    found.push(...(await belonging(search, history.rows)))
    reached = history.reached
  }
  const page = pageFrom(found, limit, tail)
  const rest = hasHistory ? imported.first : announced.first
  const isDone = page.older !== null
  return {
    ...page,
    /** The part that is left for another request, so that the work of each is bounded. */
    rest: isDone || reached === null ? null : await restIn(db, { first: rest, end: reached }),
    /** The part that can be searched only after it is indexed. */
    unindexed: isDone ? null : unindexed,
  }
}

async function boundsOf(db: Db, time: TimeRange, before: number | null): Promise<Bounds> {
  const { after = 0, before: end } = await idsBetween(db, null, time, before)
  return {
    announced: { first: after + 1, end: end ?? Number.MAX_SAFE_INTEGER },
    imported: {
      first: time.from === null ? beforeImported + 1 : firstImportedFrom(time.from),
      end: Math.min(before ?? 0, time.to === null ? 0 : firstImportedFrom(time.to)),
    },
  }
}

/** What can be searched only after it is indexed, because the index does not go back to it. */
async function unindexedIn(db: Db, { first, end }: IdRange, tail: Tail): Promise<Rest | null> {
  if (tail.first === null || tail.oldest === null) return null
  return await restIn(db, { first, end: Math.min(end, tail.first * batchSize) })
}

type Looking = IdRange & {
  readonly limit: number
  readonly tail: Tail
  readonly found: Deployment[]
}

/** Adds to `found`. Returns the lowest id that it examined; null if nothing is left below or the page is full. */
async function searchIndex(db: Db, search: WordSearch, looking: Looking): Promise<number | null> {
  const { limit, tail, found } = looking
  if (found.length > limit) return null
  if (tail.reached > tail.start) return tail.reached
  const range = indexedIn(looking, tail)
  if (range === null) return null
  let reached = (range.last + 1) * batchSize
  let looked = 0
  for await (const round of candidates(db, search, range)) {
    for (let at = 0; at < round.ids.length && found.length <= limit; at += atOnce) {
      if (looked >= maxLooked) return reached
      await Bun.sleep(0)
      const ids = round.ids.slice(at, at + atOnce)
      found.push(...(await readFound(db, search, ids)))
      reached = ids[atOnce - 1] ?? reached
      looked += atOnce
    }
    if (found.length > limit) return null
    reached = round.reached
  }
  return reached <= range.first * batchSize ? null : reached
}

/** The batches of the index that have ids of a range; null for none. */
function indexedIn(ids: IdRange, tail: Pick<Tail, 'first' | 'last'>): Range | null {
  if (tail.first === null || tail.last === null) return null
  const first = Math.max(tail.first, Math.floor(ids.first / batchSize))
  const last = Math.min(tail.last, Math.floor((ids.end - 1) / batchSize))
  return last < first ? null : { first, last, ids }
}

/** The deployments with these ids, the newest first. A withdrawn one stays in the index for some seconds. */
async function readFound(db: Db, search: WordSearch, ids: readonly number[]): Promise<readonly Deployment[]> {
  const chosen = sql`
    select d.* from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) asked
    cross join lateral (select * from deployments where id = asked.value::bigint limit 1) d`
  const rows = await db.readPrimary(allRows<FoundRow>(withPosters(chosen, sql`, to_jsonb(scopes) as scopes`)))
  return await belonging(search, rows)
}

async function belonging(search: WordSearch, rows: readonly FoundRow[]): Promise<Deployment[]> {
  const part = searchedPart(search)
  const found: Deployment[] = []
  for (const [n, row] of rows.entries()) {
    if (n % perTurn === perTurn - 1) await new Promise((resolve) => setImmediate(resolve))
    const deployment = deploymentOf(row)
    const event = { kind: 'announced', id: deployment.id, deployment, scopes: row.scopes } as const
    if (isIn(part, event)) found.push(deployment)
  }
  return found
}

async function restIn(db: Db, { first, end: before }: IdRange): Promise<Rest | null> {
  const { id, deployedAt: at } = deployments
  const between = and(gte(id, first), lt(id, before))
  const [newest] = await db.readPrimary((queries) =>
    queries.select({ at }).from(deployments).where(between).orderBy(desc(id)).limit(1),
  )
  return newest === undefined ? null : { before, ...newest }
}

/** Counts the results of a search in a time, of which the newest page is read already. */
export async function countResults(
  db: Db,
  search: WordSearch,
  page: Findings,
  time = anyTime,
): Promise<Count> {
  let found = page.deployments.length
  if (page.older === null) return { found, isAll: page.rest === null && page.unindexed === null }
  for await (const more of countsIn(db, search, await boundsOf(db, time, page.older))) {
    if (more === null) return { found, isAll: false }
    found += more
    if (found > maxCounted) return { found, isAll: false }
  }
  return { found, isAll: true }
}

/** The number of results in each step; ends with null if not everything was searched. */
async function* countsIn(
  db: Db,
  search: WordSearch,
  { announced, imported }: Bounds,
): AsyncGenerator<number | null> {
  let looked = 0
  let tail = await readTail(db, search, announced)
  yield (await belonging(search, tail.rows)).length
  while (tail.reached > tail.start) {
    looked += maxRead
    if (tail.rows.length < maxRead || looked >= maxLooked) return yield null
    tail = await readTail(db, search, { ...announced, end: tail.reached })
    yield (await belonging(search, tail.rows)).length
  }
  const range = indexedIn(announced, tail)
  if (range !== null) {
    let reached = (range.last + 1) * batchSize
    for await (const round of candidates(db, search, range)) {
      if (isExact(search)) yield round.ids.length
      else {
        for (let at = 0; at < round.ids.length; at += atOnce) {
          if (looked >= maxLooked) return yield null
          yield (await readFound(db, search, round.ids.slice(at, at + atOnce))).length
          looked += atOnce
        }
      }
      reached = round.reached
    }
    if (reached > range.first * batchSize) return yield null
  }
  if ((await unindexedIn(db, announced, tail)) !== null) return yield null
  if (imported.first >= imported.end) return
  const history = await searchImported(db, search, imported)
  yield (await belonging(search, history.rows)).length
  if (history.reached !== null) yield null
}
