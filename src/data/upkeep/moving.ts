import { sql } from 'drizzle-orm'
import { type Db, type Queries, rowsOf, texts } from '../../database/db.ts'
import { lockFeed } from '../../database/locks.ts'
import { gently } from '../../database/pacing.ts'
import { newestIn } from '../feed-pages.ts'
import { countScopes } from '../statements.ts'

/** As many as are reread at once, for the same reason (rereading.ts). */
const movedAtOnce = 20

/**
 * Moves the deployments of joined projects, of a user or of all (null), to the targets that they were joined into, in
 * chunks. May be interrupted, and run twice at once.
 */
export async function moveJoined(db: Db, userId: number | null = null): Promise<void> {
  while (await gently(() => db.write((queries) => moveChunk(queries, userId)))) {}
}

type Row = { readonly user_id: number; readonly spelling: string; readonly ids: readonly string[] }

async function moveChunk(queries: Queries, userId: number | null): Promise<boolean> {
  // The newest first, so that the pages that people look at are right first.
  const newest = newestIn({ userId: sql`j.user_id`, target: sql`j.spelling` }, movedAtOnce, sql`id`)
  const [row] = await rowsOf<Row>(
    queries,
    sql`
      select j.user_id, j.spelling, (select coalesce(json_agg(d.id::text), '[]') from (${newest}) d) as ids
      from joined_projects j
      where j.moved_at is null${userId === null ? sql`` : sql` and j.user_id = ${userId}`}
      order by j.user_id, j.spelling limit 1`,
  )
  if (row === undefined) return false
  // Sent at once, because all announcements wait for the lock of the feed.
  await queries.transaction((transaction) =>
    Promise.all(row.ids.length === 0 ? finish(transaction, row) : move(transaction, row.ids)),
  )
  return true
}

function move(transaction: Queries, all: readonly string[]) {
  const ids = sql`${texts(all)}::bigint[]`
  // Read under the locks, because the user may have separated or joined projects since the chunk was read.
  const update = sql`
    update deployments d set scopes = j.scopes, target = j.target from joined_projects j
    where d.id = any(${ids}) and j.user_id = d.user_id and j.spelling = d.target`
  const statements = [sql`select uncount_scopes(${ids})`, update, sql`select ${countScopes(ids)}`]
  return statements.map((each) => rowsOf(transaction, each))
}

/** Under both locks, nobody records a deployment of the spelling that was read before it was joined. */
function finish(transaction: Queries, { user_id, spelling }: Row) {
  return [
    rowsOf(transaction, sql`select lock_users(array[${user_id}::bigint])`),
    lockFeed(transaction),
    rowsOf(
      transaction,
      sql`
        update joined_projects j set moved_at = now()
        where j.user_id = ${user_id} and j.spelling = ${spelling} and not exists (
          select from deployments d where d.user_id = j.user_id and d.target = j.spelling
        )`,
    ),
  ]
}
