import { type SQL, sql } from 'drizzle-orm'
import type { LatestQuestion } from './latest.ts'

/** A badge, optionally of one environment, which is given in the form of environmentKey. */
export type BadgeQuestion = LatestQuestion & { readonly environment?: string | undefined }

/** The user of a question. */
export const userId = sql`u.id`

/** The questions of a batch, as q(username, scope, environment, n), each with its user u, null if there is none. */
export function asked(questions: readonly BadgeQuestion[]): SQL {
  return sql`
    rows from (json_to_recordset(${JSON.stringify(questions)}::json)
      as (username text, scope text, environment text)) with ordinality as q(username, scope, environment, n)
    left join lateral (select id, environment_order from users where username = q.username limit 1) u on true`
}
