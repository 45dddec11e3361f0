import { sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { inMs, rowsOf } from '../../database/sql.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { isIn, type Search } from '../../domain/feed-event.ts'
import { batchSize } from '../../domain/search/postings.ts'
import { deploymentColumns, deploymentOf } from '../deployment-row.ts'
import { type Page, pageOf, pageSize } from '../deployments.ts'
import { candidates } from './candidates.ts'
import { type FoundRow, readTail, type Tail } from './tail.ts'

/** So many rows are read at once, and in all: mostly the first are there and enough. */
const atOnce = 100
const mostLooked = 1_000

/** Which deployments a search is for; `before` is the id to page before, null for the newest page. */
export type Asked = Search & { readonly before: number | null; readonly limit?: number }

/** Where a search has stopped before it was through: the id before which it goes on, and when that was. */
export type Rest = { readonly before: number; readonly at: Date }

export type Findings = Page & {
  /** What was left for another request, so that each is a bounded amount of work. */
  readonly rest: Rest | null
  /** What can be searched only once it is indexed. */
  readonly unindexed: Rest | null
}

/** One page of what is found, the newest first (docs/decisions.md#search). Throws Unavailable. */
export async function findDeployments(
  db: Db,
  { before, limit = pageSize, ...search }: Asked,
): Promise<Findings> {
  const tail = await readTail(db, search, before)
  const found = tail.rows.filter((row) => belongs(search, row)).map(deploymentOf)
  const { first, last, reached } = await searchIndex(db, search, { before, limit, tail, found })
  const page = pageOf(found, limit, tail)
  const isDone = page.older !== null
  return {
    ...page,
    rest: isDone || reached === null ? null : await restBefore(db, reached),
    unindexed:
      isDone || reached !== null || first === null || last === null || tail.oldest === null
        ? null
        : await restBefore(db, first * batchSize),
  }
}

type Looking = {
  readonly before: number | null
  readonly limit: number
  readonly tail: Tail
  /** To which it adds. */
  readonly found: Deployment[]
}

type Looked = Pick<Tail, 'first' | 'last'> & {
  /** The id down to which it has looked, if there is more to look at. */
  readonly reached: number | null
}

async function searchIndex(db: Db, search: Search, { before, limit, tail, found }: Looking): Promise<Looked> {
  const { first, last } = tail
  if (found.length > limit) return { first, last, reached: null }
  if (tail.reached > tail.start) return { first, last, reached: tail.reached }
  if (first === null || last === null) return { first, last, reached: null }
  const end = before ?? Number.MAX_SAFE_INTEGER
  const from = Math.min(last, Math.floor((end - 1) / batchSize))
  if (from < first) return { first, last, reached: null }
  let reached = (from + 1) * batchSize
  let looked = 0
  for await (const round of candidates(db, search, { first, last: from, before: end })) {
    for (let ids = round.ids; ids.length > 0 && found.length <= limit; looked += atOnce) {
      if (looked >= mostLooked) return { first, last, reached }
      await Bun.sleep(0)
      found.push(...(await readFound(db, search, ids.slice(0, atOnce))))
      reached = ids[atOnce - 1] ?? reached
      ids = ids.slice(atOnce)
    }
    if (found.length > limit) return { first, last, reached: null }
    reached = round.reached
  }
  return { first, last, reached: reached <= first * batchSize ? null : reached }
}

/** What is there of these ids, the newest first: what was withdrawn stays in the index for some seconds. */
async function readFound(db: Db, search: Search, ids: readonly number[]): Promise<readonly Deployment[]> {
  const rows = await db.run((queries) =>
    rowsOf<FoundRow>(
      queries,
      sql`
        select ${deploymentColumns}, to_jsonb(scopes) as scopes
        from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) asked
        cross join lateral (select * from deployments where id = asked.value::bigint limit 1) deployments
        cross join lateral (select id, username, name from users where id = user_id limit 1) users
        order by deployments.id desc`,
    ),
  )
  return rows.filter((row) => belongs(search, row)).map(deploymentOf)
}

function belongs(search: Search, row: FoundRow): boolean {
  const event = {
    kind: 'announced',
    id: Number(row.id),
    deployment: deploymentOf(row),
    scopes: row.scopes,
  } as const
  return isIn(search, event)
}

/** What is before an id, if there is anything. */
async function restBefore(db: Db, before: number): Promise<Rest | null> {
  const [row] = await db.run((queries) =>
    rowsOf<{ at: number }>(
      queries,
      sql`
        select ${inMs(sql`deployed_at`)} as at from deployments where id < ${before}
        order by id desc limit 1`,
    ),
  )
  return row === undefined ? null : { before, at: new Date(row.at) }
}
