import { sql } from 'drizzle-orm'
import type { Db, Queries } from '../../database/db.ts'
import { gently } from '../../database/gently.ts'
import { oneRowOf, rowsOf, texts } from '../../database/sql.ts'
import { batchSize, pagesOf } from '../../domain/search/postings.ts'
import { termsOf } from '../../domain/search/terms.ts'
import { type DeploymentRow, deploymentColumns, deploymentOf } from '../deployment-row.ts'
import { latestEvent } from '../event-log.ts'

/** So many deployments are read for words before others have their turn. */
const perTurn = 64

/**
 * Indexes what can be searched and is not indexed yet: batches that have become whole, then what was changed
 * or deleted, then older ones, the newest first. Throws Unavailable; going on another time does no harm.
 */
export async function indexWords(db: Db): Promise<void> {
  while (await gently(() => indexNext(db))) {}
}

/** Indexes a batch; false if there is nothing to do. */
async function indexNext(db: Db): Promise<boolean> {
  const batch = await db.run(nextBatch)
  if (batch === null) return false
  const { rows, version, changes } = await db.run((queries) => readBatch(queries, batch))
  const pages = pagesOf(await placesOf(rows))
  await db.run((queries) =>
    queries.transaction((transaction) => writeBatch(transaction, { batch, version, changes, pages })),
  )
  return true
}

/** Ids are in the order of the commits, so a batch is whole once a later id was given. */
async function nextBatch(queries: Queries): Promise<number | null> {
  const { next } = await oneRowOf<{ next: number | null }>(
    queries,
    sql`
      with log as (
        select (${latestEvent} + 1) / ${batchSize}::bigint as whole,
          (select min(id) from deployments) / ${batchSize}::bigint as oldest
      ),
      indexed as (select min(batch) as first, max(batch) as last from search_batches)
      select (case
        when last is null then case when whole > oldest then whole - 1 end
        when last + 1 < whole then last + 1
        else coalesce(
          (select max(batch) from search_changes where batch between first and last),
          case when first > oldest then first - 1 end
        )
      end)::int as next
      from log, indexed`,
  )
  return next
}

type Row = DeploymentRow & { readonly scopes: readonly string[] }

type Batch = {
  readonly rows: readonly Row[]
  /** Null if it is not indexed yet. */
  readonly version: number | null
  /** What is done with once these rows are indexed. */
  readonly changes: readonly number[]
}

async function readBatch(queries: Queries, batch: number): Promise<Batch> {
  return await oneRowOf<Batch>(
    queries,
    sql`
      select
        (select version from search_batches where batch = ${batch}) as version,
        (select coalesce(json_agg(id), '[]') from search_changes where batch = ${batch}) as changes,
        (
          select coalesce(json_agg(read), '[]') from (
            select ${deploymentColumns}, scopes from deployments
            cross join lateral (select id, username, name from users where id = user_id limit 1) users
            where deployments.id >= ${batch * batchSize}::bigint
              and deployments.id < ${(batch + 1) * batchSize}::bigint
            order by deployments.id
          ) read
        ) as rows`,
  )
}

async function placesOf(rows: readonly Row[]): Promise<Map<string, number[]>> {
  const places = new Map<string, number[]>()
  for (const [n, row] of rows.entries()) {
    if (n % perTurn === perTurn - 1) await Bun.sleep(0)
    for (const term of termsOf(deploymentOf(row), row.scopes)) {
      const known = places.get(term)
      const place = Number(row.id) % batchSize
      if (known === undefined) places.set(term, [place])
      else known.push(place)
    }
  }
  return places
}

type Written = Omit<Batch, 'rows'> & { readonly batch: number; readonly pages: ReadonlyMap<string, string> }

/** Two processes may have read the same batch: what the later one has read may be older, and is left out. */
async function writeBatch(transaction: Queries, { batch, version, changes, pages }: Written): Promise<void> {
  const first = await rowsOf(
    transaction,
    version === null
      ? sql`insert into search_batches values (${batch}, 1) on conflict do nothing returning 1`
      : sql`
          update search_batches set version = version + 1
          where batch = ${batch} and version = ${version} returning 1`,
  )
  if (first.length === 0) return
  if (version !== null) await transaction.execute(sql`delete from search_pages where batch = ${batch}`)
  await transaction.execute(sql`
    insert into search_pages (page, batch, lines)
    select page, ${batch}, lines from unnest(${texts([...pages.keys()])}, ${texts([...pages.values()])}) as p(page, lines)`)
  await transaction.execute(sql`
    delete from search_changes
    where id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(changes)}::jsonb))`)
}
