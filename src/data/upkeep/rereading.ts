import { type SQL, sql } from 'drizzle-orm'
import { type Db, type Queries, rowsOf } from '../../database/db.ts'
import { gently, lockFeed } from '../../database/locks-and-pacing.ts'
import { countedFor, targetRule } from '../../domain/target.ts'
import { isUnread } from '../schema.ts'
import { countScopes } from '../statements.ts'

/** Announcements wait for a chunk, and until all the index pages that it has touched are on the disk. */
const rereadAtOnce = 20

/** Rereads links that an older rule of domain/target.ts has read, in chunks. May be interrupted. Throws Unavailable. */
export async function rereadLinks(db: Db): Promise<void> {
  while (await gently(() => db.write(rereadChunk))) {}
}

type Row = {
  readonly id: string
  readonly url: string
  readonly user_id: string
  readonly scopes: readonly string[]
  readonly target: string | null
}

async function rereadChunk(queries: Queries): Promise<boolean> {
  // The newest first, so that the pages that people look at are right first.
  const statement = sql`
    select id, url, user_id, to_jsonb(scopes) as scopes, target
    from deployments where ${isUnread} order by id desc limit ${rereadAtOnce}`
  const rows = await rowsOf<Row>(queries, statement)
  if (rows.length === 0) return false
  const read = rows.map(({ id, url }) => ({ id, ...countedFor(url) }))
  const moved = rows.flatMap((row, n) => {
    const { scopes = [], target } = read[n] ?? {}
    const lost = row.scopes.filter((scope) => !scopes.includes(scope))
    const isElsewhere = row.target !== null && row.target !== target
    return isElsewhere || lost.length > 0 ? [{ ...row, lost }] : []
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
  // Deployments withdrawn since the read are not counted, and none can be withdrawn under the lock.
  const count = sql`select ${countScopes(sql`array[${ids}]`)}`
  await queries.transaction(async (transaction) => {
    // Sent at once, because all announcements wait for this lock.
    const statements = [update, count, ...(moved.length === 0 ? [] : leaving(JSON.stringify(moved)))]
    await Promise.all([lockFeed(transaction), ...statements.map((each) => rowsOf(transaction, each))])
  })
  return true
}

/** Takes deployments out of the targets and scopes that only an older rule counted them for. */
function leaving(moved: string): SQL[] {
  const rows = sql`jsonb_to_recordset(${moved}::jsonb) as m(user_id bigint, target text, scopes jsonb, lost jsonb)`
  const ofTargets = sql`
    with moved as materialized (
      select distinct on (user_id, target) m.*, left_over.deployed_at
      from ${rows} left join lateral (
        select deployed_at from deployments d where d.user_id = m.user_id and d.target = m.target
        order by id desc limit 1
      ) left_over on true
    ),
    older as (
      update targets t set deployed_at = m.deployed_at from moved m
      where t.user_id = m.user_id and t.target = m.target and m.deployed_at is not null
    ),
    gone as (
      delete from targets t using moved m
      where t.user_id = m.user_id and t.target = m.target and m.deployed_at is null
    )
    delete from target_scopes s using moved m
    where s.user_id = m.user_id and s.target = m.target and m.deployed_at is null
      and s.scope in (select jsonb_array_elements_text(m.scopes))`
  const ofScopes = sql`
    delete from latest_deployments l using ${rows} cross join lateral jsonb_array_elements_text(m.lost) as lost_scope
    where l.user_id = m.user_id and l.scope = lost_scope
      and not exists (select from target_scopes s where s.user_id = m.user_id and s.scope = lost_scope)`
  return [ofTargets, ofScopes]
}
