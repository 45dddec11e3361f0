import { sql } from 'drizzle-orm'
import type { Db, Queries } from '../../database/db.ts'
import { gently } from '../../database/gently.ts'
import { lockFeed } from '../../database/locks.ts'
import { rowsOf } from '../../database/sql.ts'
import { scopeOf, scopesOf, targetOf, targetRule } from '../../domain/target.ts'
import { counting } from '../counting.ts'

/** Announcements wait for a chunk, and for the disk to have all the index pages that it has touched. */
const chunkSize = 20

/**
 * Reads the links again that an older rule of domain/target.ts has read: of a database from before the rule,
 * or of a process of an older version beside this one. Chunk by chunk, the newest first, so that what people
 * look at is right first; then removes what no deployment counts for any more. Throws Unavailable; going on
 * another time does no harm.
 */
export async function rereadLinks(db: Db): Promise<void> {
  while (await gently(() => db.run(rereadChunk))) {}
  while (await gently(() => db.run(removeChunk))) {}
}

type Row = { id: string; url: string }

/** Reads a chunk again; false if there was nothing left. */
async function rereadChunk(queries: Queries): Promise<boolean> {
  const rows = await rowsOf<Row>(
    queries,
    sql`
      select id, url from deployments
      where target_rule is null and url is not null order by id desc limit ${chunkSize}`,
  )
  if (rows.length === 0) return false
  const read = rows.map(({ id, url }) => {
    const target = targetOf(url)
    return { id, scopes: scopesOf(target), target: target === null ? null : scopeOf(target) }
  })
  const update = sql`
    update deployments d
    set scopes = array(select jsonb_array_elements_text(r.scopes)), target = r.target, target_rule = ${targetRule}
    from jsonb_to_recordset(${JSON.stringify(read)}::jsonb) as r(id bigint, scopes jsonb, target text)
    where d.id = r.id`
  const ids = sql.join(
    rows.map(({ id }) => sql`${id}::bigint`),
    sql`, `,
  )
  // What was withdrawn since they were read is not among them, and under the lock nothing more is.
  const { latest, targetScopes, targets } = counting(sql`(select * from deployments where id in (${ids}))`)
  await queries.transaction(async (transaction) => {
    // Sent at once, as in recording.ts: everybody waits for this lock.
    const statements = [update, latest, targetScopes, targets]
    await Promise.all([lockFeed(transaction), ...statements.map((each) => rowsOf(transaction, each))])
  })
  return true
}

/**
 * Whether there was something to remove: what the older rule counted, and reading every link again did not.
 * Not while a link waits to be read again, and so under the lock.
 */
async function removeChunk(queries: Queries): Promise<boolean> {
  return await queries.transaction(async (transaction) => {
    const [, removed] = await Promise.all([lockFeed(transaction), rowsOf(transaction, removeOld)])
    return removed.length > 0
  })
}

const removeOld = sql`
  with settled as (
    select where not exists (select from deployments where target_rule is null and url is not null)
  ),
  scopes as (
    delete from latest_deployments where ctid = any(array(
      select l.ctid from latest_deployments l, settled
      where target_rule is null and scope <> '' limit ${chunkSize}
    ))
    returning 1
  ),
  old_targets as (
    delete from targets where ctid = any(array(
      select t.ctid from targets t, settled where target_rule is null limit ${chunkSize}
    ))
    returning 1
  )
  select * from scopes union all select * from old_targets`
