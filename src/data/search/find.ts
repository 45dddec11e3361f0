import { and, desc, gt, lt, type SQL, sql } from 'drizzle-orm'
import { type Db, inMs } from '../../database/db.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { isIn, type Search } from '../../domain/feed/feed.ts'
import { pageSize } from '../../domain/feed/page-sizes.ts'
import { beforeHistory } from '../../domain/history.ts'
import { firstRound, mostFound, mostRounds, nextRound } from '../../domain/search/limits.ts'
import { askedTerms, batchSize, placesWithAll, type Term } from '../../domain/search/postings.ts'
import { deploymentColumns, deploymentOf } from '../deployments.ts'
import { type PageOfDeployments, pageFrom } from '../feed-pages.ts'
import { deployments } from '../schema.ts'
import { allRows, oneRow } from '../statements.ts'
import { searchHistory } from './imported.ts'
import { type FoundRow, readTail, type Tail } from './tail.ts'

/** How many candidate rows are read at once, and in all. One read is usually enough. */
export const atOnce = 100
export const mostLooked = 1_000
/** How many rows are compared per turn of the event loop: with long messages, that takes milliseconds. */
const perTurn = 8

/**
 * Which deployments a page of results holds: those with ids below `before` (null: the newest page), without
 * history if `after` is 0.
 */
export type SearchRequest = Search & {
  readonly before: number | null
  readonly after?: number
  readonly limit?: number
}

/** The deployments that a search has not looked at: those before an id, and the instant of their newest. */
export type Rest = { readonly before: number; readonly at: Date }

export type Findings = PageOfDeployments & {
  /** The part that is left for another request, so that the work of each is bounded. */
  readonly rest: Rest | null
  /** The part that can be searched only after it is indexed. */
  readonly unindexed: Rest | null
}

/** One page of results, the newest first (docs/decisions.md#search). Throws Unavailable. */
export async function findDeployments(
  db: Db,
  { before, after, limit = pageSize, ...search }: SearchRequest,
): Promise<Findings> {
  const tail = await readTail(db, search, before)
  const found = await belonging(search, tail.rows)
  const { first } = tail
  let reached = await searchIndex(db, search, { before, limit, tail, found })
  const isIndexed = found.length <= limit && reached === null
  const unindexed =
    isIndexed && first !== null && tail.oldest !== null ? await restBefore(db, first * batchSize, 0) : null
  if (isIndexed && unindexed === null && after === undefined) {
    const history = await searchHistory(db, search, before ?? 0)
    found.push(...(await belonging(search, history.rows)))
    reached = history.reached
  }
  const page = pageFrom(found, limit, tail)
  const isDone = page.older !== null
  return {
    ...page,
    rest: isDone || reached === null ? null : await restBefore(db, reached, after ?? beforeHistory),
    unindexed: isDone ? null : unindexed,
  }
}

type Looking = {
  readonly before: number | null
  readonly limit: number
  readonly tail: Tail
  /** The results so far. */
  readonly found: Deployment[]
}

/** The id down to which the search has looked, null if nothing is left below it. Adds to `found`. */
async function searchIndex(
  db: Db,
  search: Search,
  { before, limit, tail, found }: Looking,
): Promise<number | null> {
  const { first, last } = tail
  if (found.length > limit) return null
  if (tail.reached > tail.start) return tail.reached
  if (first === null || last === null) return null
  const end = before ?? Number.MAX_SAFE_INTEGER
  const from = Math.min(last, Math.floor((end - 1) / batchSize))
  if (from < first) return null
  let reached = (from + 1) * batchSize
  let looked = 0
  for await (const round of candidates(db, search, { first, last: from, before: end })) {
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

/** The deployments with these ids, the newest first. A withdrawn one stays in the index for some seconds. */
export async function readFound(
  db: Db,
  search: Search,
  ids: readonly number[],
): Promise<readonly Deployment[]> {
  const rows = await db.run(
    allRows<FoundRow>(sql`
      select ${deploymentColumns}, to_jsonb(scopes) as scopes
      from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) asked
      cross join lateral (select * from deployments where id = asked.value::bigint limit 1) deployments
      cross join lateral (select id, username, name from users where id = user_id limit 1) users
      order by deployments.id desc`),
  )
  return await belonging(search, rows)
}

/** The deployments that really match the search. */
export async function belonging(search: Search, rows: readonly FoundRow[]): Promise<Deployment[]> {
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
  const [newest] = await db.run((queries) =>
    queries
      .select({ at: deployments.deployedAt })
      .from(deployments)
      .where(and(gt(deployments.id, after), lt(deployments.id, before)))
      .orderBy(desc(deployments.id))
      .limit(1),
  )
  return newest === undefined ? null : { before, at: newest.at }
}

/** The batches that a search covers, and the id below which it looks. */
type Range = { readonly first: number; readonly last: number; readonly before: number }

/** The ids that a round has found, the newest first, and the id down to which it has looked. */
type Round = { readonly ids: readonly number[]; readonly reached: number }

type Found = {
  readonly found: readonly { readonly batch: number; readonly pages: readonly string[] }[]
  readonly took_ms: number
}

/**
 * Finds the ids of deployments that have all terms of a search, round by round, until the caller has enough
 * or the rounds of a search are used up.
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
    // Gives others a turn on the embedded database between two rounds.
    await Bun.sleep(0)
    const { found, took_ms } = await db.run(oneRow<Found>(batchesWithAll(terms, { from, end })))
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
 * The batches in which all terms occur, the newest first, with the lines of their pages: a walk over the
 * pages of the first term, and a probe for each other term. Also how long the database took.
 */
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

function lineStart({ line }: Term): string {
  return `\n${line}`
}
