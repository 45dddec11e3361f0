import { sql } from 'drizzle-orm'
import { coalesce } from '../database/coalesce.ts'
import type { Db } from '../database/db.ts'
import { inMs, nowInMs, oneRowOf, texts } from '../database/sql.ts'

/** The badge that is asked for: a username as stored, and a scope of domain/target.ts. */
export type LatestQuestion = { readonly username: string; readonly scope: string }

/** `isKnown` is whether the user exists; times are the database's. */
export type LatestAnswer = { readonly isKnown: boolean; readonly latest: Date | null; readonly now: Date }

/** Makes the function that finds a user's latest deployment in a scope; throws Unavailable. */
export function latestDeploymentReader(db: Db): (question: LatestQuestion) => Promise<LatestAnswer> {
  return coalesce((questions) => readLatest(db, questions), { inFlight: 2, batchSize: 1_000 })
}

type Row = {
  readonly found: readonly [n: number, isKnown: boolean, deployedAtMs: number | null][]
  readonly now_ms: number
}

/** One JSON row for all questions: parsing a row for each doubled the cost. */
async function readLatest(db: Db, questions: readonly LatestQuestion[]): Promise<readonly LatestAnswer[]> {
  const usernames = texts(questions.map(({ username }) => username))
  const scopes = texts(questions.map(({ scope }) => scope))
  const row = await db.run((queries) =>
    oneRowOf<Row>(
      queries,
      sql`
        select json_agg(json_build_array(q.n, u.id is not null, ${inMs(sql`l.deployed_at`)})) as found,
          ${nowInMs} as now_ms
        from unnest(${usernames}, ${scopes}) with ordinality as q(username, scope, n)
        left join users u on u.username = q.username
        left join latest_deployments l on l.user_id = u.id and l.scope = q.scope`,
    ),
  )
  const now = new Date(row.now_ms)
  const answers: LatestAnswer[] = []
  for (const [n, isKnown, deployedAtMs] of row.found) {
    answers[n - 1] = { isKnown, latest: deployedAtMs === null ? null : new Date(deployedAtMs), now }
  }
  return answers
}
