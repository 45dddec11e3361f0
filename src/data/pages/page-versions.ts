import { sql } from 'drizzle-orm'
import { batch } from '../../database/batch.ts'
import { type Db, rowOfWritten } from '../../database/db.ts'
import { latestEventText } from '../statements.ts'

/** `version` changes with the pages of a user (docs/architecture.md#kept-pages); all three are of one instant. */
type PageVersion = { readonly version: string; readonly now: Date; readonly seen: number }

/** The instant distinguishes the latest deployment from one with the same id that was lost in a failover. */
const versionText = `
  concat_ws(
    ' ', users.id, date_part('epoch', users.created_at),
    (select stamp from user_stamps where user_id = users.id),
    (
      select d.id || ' at ' || date_part('epoch', d.deployed_at) from (
        select * from deployments where (user_id, id) < (users.id, ${Number.MAX_SAFE_INTEGER}::bigint)
        order by user_id desc, id desc limit 1
      ) d
      where d.user_id = users.id and d.id > 0
    ),
    coalesce(users.environment_order::text, '-'), users.name
  )`

/** The same, for a statement that reads a page with its version. */
export const pageVersion = sql.raw(versionText)

const statement = `
  select
    json_agg((select ${versionText} from users where users.username = q.username) order by q.n)::text as versions,
    date_part('epoch', statement_timestamp()) * 1000 as now_ms, ${latestEventText} as seen
  from rows from (json_to_recordset($1::text::json) as (username text)) with ordinality as q(username, n)`

/** Makes the function that reads the version of a username; null if there is no such user. */
export function pageVersionReader(db: Db): (username: string) => Promise<PageVersion | null> {
  const read = async (usernames: readonly string[]) => {
    const asked = [JSON.stringify(usernames.map((username) => ({ username })))]
    const row = await db.read((queries) => rowOfWritten<Row>(queries, statement, asked), 'reserved')
    const atOnce = { now: new Date(row.now_ms), seen: row.seen }
    const versions: (string | null)[] = JSON.parse(row.versions)
    return versions.map((version) => (version === null ? null : { version, ...atOnce }))
  }
  return batch(db, 'page versions', read, { inFlight: 2, batchSize: 1_000 })
}

type Row = { readonly versions: string; readonly now_ms: number; readonly seen: number }
