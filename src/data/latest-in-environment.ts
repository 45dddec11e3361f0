import { type SQL, sql } from 'drizzle-orm'
import { coalesce } from '../database/coalesce.ts'
import type { Db } from '../database/db.ts'
import { observed } from '../database/observed.ts'
import { inMs, nowInMs, rowsOf } from '../database/sql.ts'
import { maxCovered, newestInEnvironment } from './feed-part.ts'
import { type LatestAnswer, type LatestQuestion, latestDeploymentReader } from './latest-deployments.ts'

/** A badge, perhaps of one environment, as it is compared. */
export type BadgeQuestion = LatestQuestion & { readonly environment?: string | undefined }

type EnvironmentQuestion = LatestQuestion & { readonly environment: string }

/** Makes the function that finds what a badge tells; throws Unavailable. */
export function badgeReader(db: Db): (question: BadgeQuestion) => Promise<LatestAnswer> {
  const read = latestDeploymentReader(db)
  const ask = observed<EnvironmentQuestion, LatestAnswer>(db, 'badges', (questions) =>
    readLatestInEnvironment(db, questions),
  )
  // Few at once, because each may be a probe for each of 200 targets.
  const readInEnvironment = coalesce(ask, { inFlight: 2, batchSize: 32 })
  return (question) => (isOfEnvironment(question) ? readInEnvironment(question) : read(question))
}

function isOfEnvironment(question: BadgeQuestion): question is EnvironmentQuestion {
  return question.environment !== undefined
}

/** Of a scope that covers too many targets, so many of the newest deployments to the environment are looked at. */
const newest = 200

const userId = sql`u.id`
const environment = sql`q.environment`
const covered = sql`(
  select target from target_scopes s where s.user_id = ${userId} and s.scope = q.scope limit ${maxCovered + 1}
)`

/**
 * When each user last deployed to an environment in a scope: everything is one probe of an index, and a scope a
 * probe for each target that it covers. It is read from the deployments themselves, so nothing is kept that a
 * withdrawal, a pruning or another rule of targets could leave behind.
 */
async function readLatestInEnvironment(
  db: Db,
  questions: readonly EnvironmentQuestion[],
): Promise<readonly LatestAnswer[]> {
  const rows = await db.read((queries) =>
    rowsOf<{ n: string | number; user_id: string | null; latest_ms: number | null; now_ms: number }>(
      queries,
      sql`
        select q.n, ${userId} as user_id, ${nowInMs} as now_ms, ${inMs(latest)} as latest_ms
        from rows from (json_to_recordset(${JSON.stringify(questions)}::json)
          as (username text, scope text, environment text)) with ordinality as q(username, scope, environment, n)
        left join lateral (select id from users where username = q.username limit 1) u on true`,
    ),
  )
  const answers: LatestAnswer[] = []
  for (const { n, user_id, latest_ms, now_ms } of rows) {
    const latest = latest_ms === null ? null : new Date(latest_ms)
    answers[Number(n) - 1] = { isKnown: user_id !== null, latest, now: new Date(now_ms) }
  }
  return answers
}

const latest: SQL = sql`case
  when q.scope = '' then (${newestInEnvironment({ userId, environment }, 1, sql`deployed_at`)})
  when (select count(*) from ${covered} c) <= ${maxCovered} then (
    select max(deployed_at) from ${covered} c
    cross join lateral (
      ${newestInEnvironment({ userId, target: sql`c.target`, environment }, 1, sql`deployed_at`)}
    ) d
  )
  else (
    select max(deployed_at)
    from (${newestInEnvironment({ userId, environment }, newest, sql`scopes, deployed_at`)}) d
    where q.scope = any(scopes)
  )
end`
