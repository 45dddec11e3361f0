import { and, desc, gt, lt, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { isIn, pageSize, type Search } from '../../domain/feed/feed.ts'
import { beforeImported } from '../../domain/import.ts'
import { batchSize, isExact } from '../../domain/search/postings.ts'
import { type Count, mostCounted } from '../../domain/search/question.ts'
import { deploymentOf, type FoundRow, withPosters } from '../deployments.ts'
import { pageFrom } from '../feed-pages.ts'
import { deployments } from '../schema.ts'
import { allRows } from '../statements.ts'
import { mostRead, readTail, searchImported, type Tail } from './unindexed.ts'
import { candidates, type Range } from './word-index.ts'

const atOnce = 100
const mostLooked = 1_000
/** How many rows are compared per turn of the event loop: with long messages, that takes milliseconds. */
const perTurn = 8

/** A page of results with ids below `before` (null: the newest page), without history if `after` is 0. */
export type SearchRequest = Search & {
  readonly before: number | null
  readonly after?: number
  readonly limit?: number
}

/** The deployments that a search has not looked at: those before an id, and the instant of their newest. */
type Rest = { readonly before: number; readonly at: Date }

type Findings = Awaited<ReturnType<typeof findDeployments>>

/** One page of results, the newest first. */
export async function findDeployments(db: Db, request: SearchRequest) {
  const { before, after, limit = pageSize, ...search } = request
  const tail = await readTail(db, search, before)
  const found = await belonging(search, tail.rows)
  const end = before ?? Number.MAX_SAFE_INTEGER
  let reached = await searchIndex(db, search, { end, limit, tail, found })
  const isIndexed = found.length <= limit && reached === null
  const unindexed =
    isIndexed && tail.first !== null && tail.oldest !== null
      ? await restBefore(db, tail.first * batchSize, 0)
      : null
  if (isIndexed && unindexed === null && after === undefined) {
    const history = await searchImported(db, search, before ?? 0)
    found.push(...(await belonging(search, history.rows)))
    reached = history.reached
  }
  const page = pageFrom(found, limit, tail)
  const isDone = page.older !== null
  return {
    ...page,
    /** The part that is left for another request, so that the work of each is bounded. */
    rest: isDone || reached === null ? null : await restBefore(db, reached, after ?? beforeImported),
    /** The part that can be searched only after it is indexed. */
    unindexed: isDone ? null : unindexed,
  }
}

type Looking = {
  readonly end: number
  readonly limit: number
  readonly tail: Tail
  readonly found: Deployment[]
}

/** Adds to `found`. Returns the lowest id that it examined; null if nothing is left below or the page is full. */
async function searchIndex(db: Db, search: Search, looking: Looking): Promise<number | null> {
  const { end, limit, tail, found } = looking
  const { first, last } = tail
  if (found.length > limit) return null
  if (tail.reached > tail.start) return tail.reached
  if (first === null || last === null) return null
  const range = rangeBelow(end, first, last)
  if (range.last < first) return null
  let reached = (range.last + 1) * batchSize
  let looked = 0
  for await (const round of candidates(db, search, range)) {
    for (let at = 0; at < round.ids.length && found.length <= limit; at += atOnce) {
      if (looked >= mostLooked) return reached
      await Bun.sleep(0)
      const ids = round.ids.slice(at, at + atOnce)
      found.push(...(await readFound(db, search, ids)))
      reached = ids[atOnce - 1] ?? reached
      looked += atOnce
    }
    if (found.length > limit) return null
    reached = round.reached
  }
  return reached <= first * batchSize ? null : reached
}

function rangeBelow(before: number, first: number, last: number): Range {
  return { first, last: Math.min(last, Math.floor((before - 1) / batchSize)), before }
}

/** The deployments with these ids, the newest first. A withdrawn one stays in the index for some seconds. */
async function readFound(db: Db, search: Search, ids: readonly number[]): Promise<readonly Deployment[]> {
  const chosen = sql`
    select d.* from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) asked
    cross join lateral (select * from deployments where id = asked.value::bigint limit 1) d`
  const rows = await db.readPrimary(allRows<FoundRow>(withPosters(chosen, sql`, to_jsonb(scopes) as scopes`)))
  return await belonging(search, rows)
}

async function belonging(search: Search, rows: readonly FoundRow[]): Promise<Deployment[]> {
  const found: Deployment[] = []
  for (const [n, row] of rows.entries()) {
    if (n % perTurn === perTurn - 1) await new Promise((resolve) => setImmediate(resolve))
    const deployment = deploymentOf(row)
    const event = { kind: 'announced', id: deployment.id, deployment, scopes: row.scopes } as const
    if (isIn(search, event)) found.push(deployment)
  }
  return found
}

async function restBefore(db: Db, before: number, after: number): Promise<Rest | null> {
  const { id, deployedAt: at } = deployments
  const between = and(gt(id, after), lt(id, before))
  const [newest] = await db.readPrimary((queries) =>
    queries.select({ at }).from(deployments).where(between).orderBy(desc(id)).limit(1),
  )
  return newest === undefined ? null : { before, ...newest }
}

/** Counts the results of a search, of which the newest page is read already. */
export async function countResults(db: Db, search: Search, page: Findings): Promise<Count> {
  let found = page.deployments.length
  if (page.older === null) return { found, isAll: page.rest === null && page.unindexed === null }
  for await (const more of countsBelow(db, search, page.older)) {
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
    const range = rangeBelow(before, first, last)
    let reached = (range.last + 1) * batchSize
    for await (const round of candidates(db, search, range)) {
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
  const history = await searchImported(db, search, Math.min(before, 0))
  yield (await belonging(search, history.rows)).length
  if (history.reached !== null) yield null
}
