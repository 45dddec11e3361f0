import { type SQL, sql } from 'drizzle-orm'
import {
  announcedDeploymentColumns,
  deploymentOf,
  type FoundRow,
  posterOfEach,
} from '../../data/deployments.ts'
import { allRows, latestEvent, oneRow, oneValue } from '../../data/statements.ts'
import { type Db, type Queries, rowsOf, settleBy, texts } from '../../database/db.ts'
import { messageOf } from '../../database/errors.ts'
import { gently } from '../../database/pacing.ts'
import { batchSize } from '../../domain/feed/id-batch.ts'
import { hour, minute } from '../../domain/time.ts'
import { addTerms, type Postings, pageLine, termsOf } from './postings.ts'

/** For how long the process works on a batch before others get a turn. */
const turnMs = 10
/** How many deployments are read by one statement, how many lines are made before the clock is read again. */
const readAtOnce = 64
const linesAtOnce = 500
/** About how many characters of pages are written by one statement. */
const writtenAtOnce = 250_000

/** A batch that was indexed again waits for this long until it is again: a long one takes seconds. */
const againMs = 5 * minute
/** A batch that fails waits for this long, and twice as long after each further failure. The third one is logged. */
const failedMs = 10_000
const longestMs = hour
const logged = 3

/** Batches that have to wait: until when, and how often each has failed. */
export type Aside = Map<number, { readonly until: number; readonly failures: number }>

/**
 * Indexes the words that are not indexed yet: batches that have become complete, then batches with changes or
 * deletions, then older ones, the newest first. A batch that fails does not stop others. Throws Unavailable; the next
 * call then goes on.
 */
export async function indexWords(db: Db, aside: Aside = new Map()): Promise<void> {
  while (await gently(() => indexNext(db, aside))) {}
}

async function indexNext(db: Db, aside: Aside): Promise<boolean> {
  const now = performance.now()
  const waiting = [...aside].filter(([, { until }]) => until > now).map(([batch]) => batch)
  const number = await db.readPrimary(nextBatch(waiting))
  if (number === null) return false
  try {
    const { wasIndexed } = await indexBatch(db, number)
    if (wasIndexed) aside.set(number, { until: performance.now() + againMs, failures: 0 })
    else aside.delete(number)
    return true
  } catch (error) {
    const failures = (aside.get(number)?.failures ?? 0) + 1
    const waitMs = Math.min(failedMs * 2 ** failures, longestMs)
    aside.set(number, { until: performance.now() + waitMs, failures })
    if (failures !== logged) throw error
    throw new Error(
      `the words of batch ${number} could not be indexed ${failures} times: ${messageOf(error)}`,
    )
  }
}

/** Ids are in commit order, so a batch is complete as soon as there is a later id. Those that wait are left out. */
function nextBatch(waiting: readonly number[]) {
  const isDue = (batch: SQL) => sql`${batch} <> all(${texts(waiting.map(String))}::int[])`
  return oneValue<number | null>(sql`
    with log as (
      select (${latestEvent} + 1) / ${batchSize}::bigint as whole,
        (select min(id) from deployments where id > 0) / ${batchSize}::bigint as oldest
    ),
    indexed as (select min(batch) as first, max(batch) as last from search_batches)
    select (case
      when last is null then case when whole > oldest and ${isDue(sql`whole - 1`)} then whole - 1 end
      when last + 1 < whole and ${isDue(sql`last + 1`)} then last + 1
      else coalesce(
        (select max(batch) from search_changes where batch between first and last and ${isDue(sql`batch`)}),
        case when first > oldest and ${isDue(sql`first - 1`)} then first - 1 end
      )
    end)::int as next
    from log, indexed`)
}

type Batch = {
  /** The version of the batch in the index; null if it is not indexed yet. */
  readonly version: number | null
  readonly changes: readonly number[]
}

/** Reads, indexes and writes a batch in parts, so that others get their turns, and no statement takes long. */
async function indexBatch(db: Db, number: number): Promise<{ readonly wasIndexed: boolean }> {
  const turn = turns()
  // Read before the deployments: what changes later leaves a note that is not among these.
  const batch = await db.readPrimary(
    oneRow<Batch>(sql`
      select (select version from search_batches where batch = ${number}) as version,
        (select coalesce(json_agg(id), '[]') from search_changes where batch = ${number}) as changes`),
  )
  const postings: Postings = new Map()
  for (let first = number * batchSize; first < (number + 1) * batchSize; first += readAtOnce) {
    const rows = await db.readPrimary(allRows<FoundRow>(deploymentsFrom(first)))
    for (const row of rows) {
      addTerms(postings, termsOf(deploymentOf(row), row.scopes), row.id % batchSize)
      await turn()
    }
  }
  const write = (transaction: Queries) => writeBatch(transaction, { ...batch, number }, postings, turn)
  await settleBy(performance.now() + minute, db.writeAtLength(write))
  return { wasIndexed: batch.version !== null }
}

function deploymentsFrom(first: number): SQL {
  return sql`
    select ${announcedDeploymentColumns}, to_jsonb(scopes) as scopes from deployments
    ${posterOfEach}
    where deployments.id >= ${first}::bigint and deployments.id < ${first + readAtOnce}::bigint
    order by deployments.id`
}

/** Makes the function that lets others have a turn, if the present one has taken long. */
function turns(): () => Promise<void> {
  let begunAt = performance.now()
  return async () => {
    if (performance.now() - begunAt < turnMs) return
    await Bun.sleep(0)
    begunAt = performance.now()
  }
}

/** If two processes read the same batch, the second to write is ignored: it may have read older rows. */
async function writeBatch(
  transaction: Queries,
  { number, version, changes }: Batch & { readonly number: number },
  postings: Postings,
  turn: () => Promise<void>,
): Promise<void> {
  await transaction.execute(sql`set local statement_timeout = '5s'`)
  await transaction.execute(sql`set local idle_in_transaction_session_timeout = '5s'`)
  const claim =
    version === null
      ? sql`insert into search_batches values (${number}, 1) on conflict do nothing returning 1`
      : sql`update search_batches set version = version + 1 where batch = ${number} and version = ${version} returning 1`
  if ((await rowsOf(transaction, claim)).length === 0) return
  if (version !== null) await transaction.execute(sql`delete from search_pages where batch = ${number}`)
  let pages: SQL[] = []
  let size = 0
  for (const [page, places] of postings) {
    const lines = await linesOf(places, turn)
    pages.push(sql`(${page}, ${number}, ${lines})`)
    size += lines.length
    if (size < writtenAtOnce) continue
    await transaction.execute(insertOf(pages))
    pages = []
    size = 0
  }
  if (pages.length > 0) await transaction.execute(insertOf(pages))
  await transaction.execute(sql`
    delete from search_changes
    where id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(changes)}::jsonb))`)
}

function insertOf(pages: SQL[]): SQL {
  return sql`insert into search_pages (page, batch, lines) values ${sql.join(pages, sql`, `)}`
}

async function linesOf(places: ReadonlyMap<string, string>, turn: () => Promise<void>): Promise<string> {
  let lines = ''
  let made = 0
  for (const [term, each] of places) {
    lines += pageLine(term, each)
    made += 1
    if (made % linesAtOnce === 0) await turn()
  }
  await turn()
  return lines
}
