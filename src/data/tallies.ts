import { type SQL, sql } from 'drizzle-orm'
import { share } from '../database/batch.ts'
import { type Db, nowInMs } from '../database/db.ts'
import { isUnfiltered } from '../domain/feed/facets.ts'
import type { FeedFilter } from '../domain/feed/feed.ts'
import { bucketMs, type Tally, tallyMs } from '../domain/statistics/tally.ts'
import { coversMore, newestOf, oldestOf } from './feed-pages.ts'
import { Busy, workQueue } from './in-memory-queue.ts'
import { oneRow } from './statements.ts'

/** How many rows one statement counts: fewer with a filter, because for more, the planner would read all rows. */
const rowsAtOnce = { usual: 5_000, filtered: 500 }
/** Beyond this number of rows or this time, a full count ends, and the tally covers less than two days. */
const maxRows = 200_000
const maxMs = 1_000
/** One full count runs at a time; these bound how many wait and how long. A wallboard soon asks again. */
const inLine = { atOnce: 1, waiting: 20 }
const waitMs = 2_000
/** After this time, a full count is repeated: it may include deployments that were withdrawn since. */
const recountMs = 10 * 60 * 1000
const maxKept = 50

type Counted = {
  readonly recountAt: number
  readonly from: number
  readonly buckets: Map<number, number>
  newest: number
  now: number
}

/** Makes the function that counts a part of the feed, without history. Throws Busy. */
export function tallyReader(db: Db): (filter: FeedFilter) => Promise<Tally> {
  const kept = new Map<string, Counted>()
  const inTurn = workQueue(inLine)

  return share(async (filter: FeedFilter) => {
    const key = JSON.stringify(filter)
    const asked = performance.now()
    const known = kept.get(key)
    const part = await partOf(db, filter)
    const counted =
      known !== undefined && asked < known.recountAt
        ? await countNew(db, part, known)
        : await inTurn(async () => {
            if (performance.now() > asked + waitMs) throw new Busy()
            return await countAll(db, part)
          })
    kept.delete(key)
    kept.set(key, counted)
    const [oldest = key] = kept.keys()
    if (kept.size > maxKept) kept.delete(oldest)
    return tallyOf(counted)
  })
}

/** The rows that are walked. If `scope` is not null, only those with this scope count. */
type WalkedPart = { readonly walked: FeedFilter; readonly scope: string | null; readonly limit: number }

/** If a scope covers several targets, all rows of its user are walked once: up to 200 walks would read far more. */
async function partOf(db: Db, filter: FeedFilter): Promise<WalkedPart> {
  const { scope, by } = filter
  const isMixed = scope !== null && (await coversMore(db, filter, 1))
  const walked = isMixed ? { ...filter, scope: null } : filter
  const isFiltered = !isUnfiltered(by) || walked.scope !== null
  const limit = isFiltered ? rowsAtOnce.filtered : rowsAtOnce.usual
  return { walked, scope: isMixed ? scope : null, limit }
}

/** Counts from the newest deployment back to the beginning of the tally. */
async function countAll(db: Db, part: WalkedPart): Promise<Counted> {
  const { walked, limit } = part
  const buckets = new Map<number, number>()
  const until = performance.now() + maxMs
  let before: number | null = null
  let newest = 0
  let total = 0
  while (true) {
    const read = await readCounts(db, newestOf(walked, { after: 0, before }, limit), part)
    add(read.counts, buckets)
    newest = Math.max(newest, read.newest)
    total += read.rows
    before = read.oldest
    const begin = read.now_ms - tallyMs
    const oldestBucket = (read.counts[0]?.bucket ?? 0) * bucketMs
    const isWhole = read.rows < limit || oldestBucket < begin
    if (!isWhole && total < maxRows && performance.now() < until) continue
    // If the tally was cut, its oldest bucket is incomplete.
    const from = isWhole ? begin : oldestBucket + bucketMs
    return { recountAt: performance.now() + recountMs, from, buckets, newest, now: read.now_ms }
  }
}

/** Counts on from the last deployment counted: ids are in commit order. What takes too long is left for next time. */
async function countNew(db: Db, part: WalkedPart, counted: Counted): Promise<Counted> {
  const until = performance.now() + maxMs
  while (true) {
    const read = await readCounts(db, oldestOf(part.walked, { after: counted.newest }, part.limit), part)
    add(read.counts, counted.buckets)
    counted.newest = Math.max(counted.newest, read.newest)
    counted.now = read.now_ms
    if (read.rows < part.limit || performance.now() > until) return counted
  }
}

function add(counts: readonly BucketCount[], buckets: Map<number, number>): void {
  for (const { bucket, count } of counts) buckets.set(bucket, (buckets.get(bucket) ?? 0) + count)
}

/** The last two days of the buckets. Older ones are forgotten. */
function tallyOf({ buckets, from, now }: Counted): Tally {
  const last = Math.floor(now / bucketMs)
  const first = Math.ceil(Math.max(from, now - tallyMs) / bucketMs)
  for (const bucket of buckets.keys()) if (bucket < first) buckets.delete(bucket)
  const counts = Array.from({ length: last - first + 1 }, (_, n) => buckets.get(first + n) ?? 0)
  return { from: first * bucketMs, counts }
}

type BucketCount = { readonly bucket: number; readonly count: number }

/** `rows` is how many were read, `oldest` and `newest` are the ids at their ends. */
type CountsRow = {
  readonly counts: readonly BucketCount[]
  readonly rows: number
  readonly oldest: number
  readonly newest: number
  readonly now_ms: number
}

async function readCounts(db: Db, walked: SQL, { scope }: WalkedPart): Promise<CountsRow> {
  const counting = scope === null ? sql`` : sql`filter (where ${scope} = any(scopes))`
  const statement = sql`
    select coalesce(json_agg(json_build_object('bucket', bucket, 'count', count) order by bucket), '[]') as counts,
      coalesce(sum(walked), 0)::int8 as rows, coalesce(min(oldest), 0) as oldest,
      coalesce(max(newest), 0) as newest, ${nowInMs} as now_ms
    from (
      select floor(date_part('epoch', deployed_at) * 1000 / ${bucketMs}::int)::int8 as bucket,
        count(*) ${counting} as count, count(*) as walked, min(id) as oldest, max(id) as newest
      from (${walked}) deployments group by 1
    ) buckets`
  return await db.read(oneRow<CountsRow>(statement))
}
