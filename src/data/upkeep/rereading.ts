import { sql } from 'drizzle-orm'
import { type Db, type Queries, rowsOf, texts } from '../../database/db.ts'
import { gently } from '../../database/pacing.ts'
import { countedFor, targetRule } from '../../domain/target.ts'
import { countScopes } from '../statements.ts'
import { isUnread } from '../tables.ts'

/** Announcements wait for a chunk, and until all the index pages that it has touched are on the disk. */
const rereadAtOnce = 20

/** Rereads links that an older rule of domain/target.ts has read, in chunks. May be interrupted. */
export async function rereadLinks(db: Db): Promise<void> {
  while (await gently(() => db.write(rereadChunk))) {}
}

type Row = { readonly id: string; readonly url: string }

async function rereadChunk(queries: Queries): Promise<boolean> {
  // The newest first, so that the pages that people look at are right first.
  const statement = sql`
    select id, url from deployments where ${isUnread} order by id desc limit ${rereadAtOnce}`
  const rows = await rowsOf<Row>(queries, statement)
  if (rows.length === 0) return false
  const read = rows.map(({ id, url }) => ({ id, ...countedFor({ url }) }))
  const ids = sql`${texts(rows.map(({ id }) => id))}::bigint[]`
  const update = sql`
    update deployments d
    set scopes = r.scopes, target = r.target, target_rule = ${targetRule}
    from (
      select own.id, coalesce(j.target, read.target) as target,
        coalesce(j.scopes, array(select jsonb_array_elements_text(read.scopes))) as scopes
      from jsonb_to_recordset(${JSON.stringify(read)}::jsonb) as read(id bigint, scopes jsonb, target text)
      join deployments own on own.id = read.id
      left join joined_projects j on j.user_id = own.user_id and j.spelling = read.target
    ) r
    where d.id = r.id`
  // Deployments withdrawn since the read are not counted, and none can be withdrawn under the locks of the first.
  const statements = [sql`select uncount_scopes(${ids})`, update, sql`select ${countScopes(ids)}`]
  // Sent at once, because all announcements wait for the lock of the feed.
  await queries.transaction((transaction) => Promise.all(statements.map((each) => rowsOf(transaction, each))))
  return true
}
