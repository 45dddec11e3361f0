import { sql } from 'drizzle-orm'
import { coalesce } from './coalesce.ts'
import { type Db, rowsOf } from './database.ts'
import { inMs, nowInMs } from './milliseconds.ts'

/** Which badge is asked for: a username as stored, and a scope of domain/target.ts. */
export type LatestQuestion = { readonly username: string; readonly scope: string }

/** `isKnown` is whether the user exists; times are the database's. */
export type LatestAnswer = { readonly isKnown: boolean; readonly latest: Date | null; readonly now: Date }

/** Makes the function that finds a user's latest deployment in a scope; throws Unavailable. */
export function latestDeploymentReader(db: Db): (question: LatestQuestion) => Promise<LatestAnswer> {
  return coalesce((questions) => readLatest(db, questions), { inFlight: 2, batchSize: 1_000 })
}

type Row = { n: number; user_id: string | null; deployed_at_ms: number | null; now_ms: number }

async function readLatest(db: Db, questions: readonly LatestQuestion[]): Promise<readonly LatestAnswer[]> {
  const usernames = sql.param(questions.map(({ username }) => username))
  const scopes = sql.param(questions.map(({ scope }) => scope))
  const rows = await db.run((queries) =>
    rowsOf<Row>(
      queries,
      sql`
        select q.n::int as n, u.id as user_id, ${inMs(sql`l.deployed_at`)} as deployed_at_ms,
          ${nowInMs} as now_ms
        from unnest(${usernames}::text[], ${scopes}::text[]) with ordinality as q(username, scope, n)
        left join users u on u.username = q.username
        left join latest_deployments l on l.user_id = u.id and l.scope = q.scope`,
    ),
  )
  const answers: LatestAnswer[] = []
  for (const row of rows) {
    answers[row.n - 1] = {
      isKnown: row.user_id !== null,
      latest: row.deployed_at_ms === null ? null : new Date(row.deployed_at_ms),
      now: new Date(row.now_ms),
    }
  }
  return answers
}
