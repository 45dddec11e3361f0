import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { share } from '../../database/share.ts'
import { nowInMs, oneRowOf } from '../../database/sql.ts'
import type { FeedFilter } from '../../domain/feed-event.ts'
import { bucketMs, type Tally, tallyMs } from '../../domain/wall/tally.ts'
import { newestOf, oldestOf } from '../feed-part.ts'

/**
 * Rows that one statement counts. A target may cover 200 others, each of which is walked as far; and for many rows
 * of a category the planner would rather read all there are.
 */
const chunk = { usual: 5_000, filtered: 500 }
/** Beyond this a tally is of less than two days. */
const mostRows = 200_000
/** What was withdrawn counts until then. */
const recountMs = 10 * 60 * 1000
const mostKept = 50

type Counted = {
  readonly recountAt: number
  /** From which instant on everything was counted. */
  readonly from: number
  readonly buckets: Map<number, number>
  newest: number
}

/**
 * Makes the function that counts a part of the feed for wallboards: all of two days at first and every ten
 * minutes, and meanwhile only what came since. Throws Unavailable.
 */
export function tallyReader(db: Db): (filter: FeedFilter) => Promise<Tally> {
  const kept = new Map<string, Counted>()

  return share(async (filter: FeedFilter) => {
    const key = JSON.stringify(filter)
    const known = kept.get(key)
    const { counted, now } =
      known === undefined || known.recountAt < performance.now()
        ? await countAll(db, filter)
        : await countNew(db, filter, known)
    kept.delete(key)
    kept.set(key, counted)
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    return tallyOf(counted, now)
  })
}

type Reading = { readonly counted: Counted; readonly now: number }

/** From the newest back to the beginning of the tally. */
async function countAll(db: Db, filter: FeedFilter): Promise<Reading> {
  const limit = limitFor(filter)
  const buckets = new Map<number, number>()
  let before: number | null = null
  let newest = 0
  for (let total = 0; ; ) {
    const part = await readChunk(db, newestOf(filter, { before }, limit))
    add(part.counts, buckets)
    newest = Math.max(newest, part.newest)
    total += part.rows
    before = part.oldest
    const begin = part.now - tallyMs
    const oldestBucket = (part.counts[0]?.[0] ?? 0) * bucketMs
    const isWhole = part.rows < limit || oldestBucket < begin
    if (!isWhole && total < mostRows) continue
    // The oldest bucket of a tally that was cut is not whole.
    const from = isWhole ? begin : oldestBucket + bucketMs
    const counted = { recountAt: performance.now() + recountMs, from, buckets, newest }
    return { counted, now: part.now }
  }
}

/** On from the last that was counted: ids are in commit order, so none is left out. */
async function countNew(db: Db, filter: FeedFilter, counted: Counted): Promise<Reading> {
  const limit = limitFor(filter)
  for (;;) {
    const part = await readChunk(db, oldestOf(filter, { after: counted.newest }, limit))
    add(part.counts, counted.buckets)
    counted.newest = Math.max(counted.newest, part.newest)
    if (part.rows < limit) return { counted, now: part.now }
  }
}

function limitFor({ category, scope, environment }: FeedFilter): number {
  const isFiltered = category !== null || scope !== null || environment !== null
  return isFiltered ? chunk.filtered : chunk.usual
}

function add(counts: Chunk['counts'], buckets: Map<number, number>): void {
  for (const [bucket, count] of counts) buckets.set(bucket, (buckets.get(bucket) ?? 0) + count)
}

/** The last two days of what was counted; what is older is forgotten. */
function tallyOf({ buckets, from }: Counted, now: number): Tally {
  const last = Math.floor(now / bucketMs)
  const first = Math.ceil(Math.max(from, now - tallyMs) / bucketMs)
  for (const bucket of buckets.keys()) if (bucket < first) buckets.delete(bucket)
  const counts = Array.from({ length: last - first + 1 }, (_, n) => buckets.get(first + n) ?? 0)
  return { from: first * bucketMs, counts }
}

/** Of some rows: how many are in each bucket, the oldest bucket first; the ids at their ends; and the time. */
type Chunk = {
  readonly counts: readonly (readonly [bucket: number, count: number])[]
  readonly rows: number
  readonly oldest: number
  readonly newest: number
  readonly now: number
}

type ChunkRow = {
  readonly counts: Chunk['counts'] | null
  readonly rows: string | number
  readonly oldest: string | number
  readonly newest: string | number
  readonly now_ms: number
}

async function readChunk(db: Db, rows: SQL): Promise<Chunk> {
  const row = await db.read((queries) =>
    oneRowOf<ChunkRow>(
      queries,
      sql`
        select json_agg(json_build_array(bucket, count) order by bucket) as counts,
          coalesce(sum(count), 0) as rows, coalesce(min(oldest), 0) as oldest,
          coalesce(max(newest), 0) as newest, ${nowInMs} as now_ms
        from (
          select floor(date_part('epoch', deployed_at) * 1000 / ${bucketMs}::int)::bigint as bucket,
            count(*) as count, min(id) as oldest, max(id) as newest
          from (${rows}) deployments group by 1
        ) buckets`,
    ),
  )
  const { counts, rows: total, oldest, newest, now_ms: now } = row
  return { counts: counts ?? [], rows: Number(total), oldest: Number(oldest), newest: Number(newest), now }
}
