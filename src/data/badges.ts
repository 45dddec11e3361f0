import { type SQL, sql } from 'drizzle-orm'
import { batch } from '../database/batch.ts'
import { type Db, inMs, nowInMs, rowOfWritten } from '../database/db.ts'
import { maxCovered, newestIn } from './feed-pages.ts'
import { allRows } from './statements.ts'

/** A username as it is stored, and a scope of domain/target.ts. */
export type LatestQuestion = { readonly username: string; readonly scope: string }

/** `isKnown` says whether the user exists; times are the database's. */
export type LatestAnswer = { readonly isKnown: boolean; readonly latest: Date | null; readonly now: Date }

/** Makes the function that finds a user's latest deployment in a scope. */
export function latestDeploymentReader(db: Db): (question: LatestQuestion) => Promise<LatestAnswer> {
  const read = async (questions: readonly LatestQuestion[]) => {
    const asked = [JSON.stringify(questions)]
    const row = await db.read((queries) => rowOfWritten<LatestRow>(queries, statement, asked), 'reserved')
    const now = new Date(row.now_ms)
    const words = row.found.split(' ')
    const answers: LatestAnswer[] = []
    for (let place = 0; place < words.length; place += 2) {
      const found = words[place + 1] as string
      const isKnown = found !== 'unknown'
      const latest = isKnown && found !== 'none' ? new Date(Number(found)) : null
      answers[Number(words[place]) - 1] = { isKnown, latest, now }
    }
    return answers
  }
  return batch(db, 'badges', read, { inFlight: 2, batchSize: 1_000 })
}

type LatestRow = { readonly found: string; readonly now_ms: number }

// All answers are one text, each after the number of its question: Postgres writes that faster than JSON. The
// two subqueries are two probes of unique indexes; with joins, the planner would read all scopes of a user.
const statement = `
  select
    string_agg(
      q.n || ' ' || coalesce(
        (
          select coalesce((
            select (date_part('epoch', l.deployed_at) * 1000)::text
            from latest_deployments l where l.user_id = u.id and l.scope = q.scope
          ), 'none')
          from users u where u.username = q.username
        ),
        'unknown'
      ),
      ' '
    ) as found,
    date_part('epoch', statement_timestamp()) * 1000 as now_ms
  from rows from (json_to_recordset($1::text::json) as (username text, scope text))
    with ordinality as q(username, scope, n)`

/** A badge, optionally of one environment, which is given in the form of environmentKey. */
export type BadgeQuestion = LatestQuestion & { readonly environment?: string | undefined }

/** An answer with the version of the latest deployment, null if it has none. */
export type ReleaseAnswer = LatestAnswer & { readonly version: string | null }

export type BadgeReader = ReturnType<typeof badgeReader>

/** Makes the functions that find what badges show, `release` with the version. */
export function badgeReader(db: Db) {
  const readScope = latestDeploymentReader(db)
  // Small batches, because each question may need a probe for each of 200 targets.
  const limits = { inFlight: 2, batchSize: 32 }
  const release = batch(db, 'badges', (asked: readonly BadgeQuestion[]) => readReleases(db, asked), limits)
  const latest = (question: BadgeQuestion): Promise<LatestAnswer> =>
    question.environment === undefined ? readScope(question) : release(question)
  return { latest, release }
}

const userId = sql`u.id`
const environment = sql`q.environment`
const isAnywhere = sql`${environment} is null`
const covered = sql`
  select target from target_scopes s where s.user_id = ${userId} and s.scope = q.scope limit ${maxCovered + 1}`

type ReleaseRow = Pick<ReleaseAnswer, 'version'> & {
  readonly n: number
  readonly user_id: number | null
  readonly latest_ms: number | null
  readonly now_ms: number
}

/** Reads the deployments themselves: a withdrawal, a pruning or a new rule of targets leaves no derived row behind. */
async function readReleases(db: Db, questions: readonly BadgeQuestion[]): Promise<readonly ReleaseAnswer[]> {
  const statement = sql`
    select q.n, ${userId} as user_id, ${nowInMs} as now_ms, ${inMs(sql`deployed_at`)} as latest_ms, version
    from rows from (json_to_recordset(${JSON.stringify(questions)}::json)
      as (username text, scope text, environment text)) with ordinality as q(username, scope, environment, n)
    left join lateral (select id from users where username = q.username limit 1) u on true
    left join lateral (select case when q.scope <> '' then array(${covered}) end as targets) covered on true
    left join lateral (select deployed_at, version from deployments d where d.id = (${latestId}) limit 1) d on true`
  const rows = await db.read(allRows<ReleaseRow>(statement), 'reserved')
  const answers: ReleaseAnswer[] = []
  for (const { n, user_id, latest_ms, version, now_ms } of rows) {
    const latest = latest_ms === null ? null : new Date(latest_ms)
    answers[n - 1] = { isKnown: user_id !== null, latest, version, now: new Date(now_ms) }
  }
  return answers
}

const newestId = sql`id`
const target = sql`c.target`
const fromCovered = (newest: SQL) =>
  sql`from unnest(covered.targets) as c(target) cross join lateral (${newest}) d`

/** One probe of an index for everything, else one for each target that the scope covers, or a walk if they are many. */
const latestId: SQL = sql`case
  when q.scope = '' and ${isAnywhere} then (${newestIn({ userId }, 1, newestId)})
  when q.scope = '' then (${newestIn({ userId, environment }, 1, newestId)})
  when cardinality(covered.targets) <= ${maxCovered} then case
    when ${isAnywhere} then (select max(d.id) ${fromCovered(newestIn({ userId, target }, 1, newestId))})
    else (select max(d.id) ${fromCovered(newestIn({ userId, target, environment }, 1, newestId))})
  end
  -- The target with the instant of the scope.
  when ${isAnywhere} then (
    select d.id from (
      select t.target from latest_deployments l join targets t on t.user_id = l.user_id and t.deployed_at = l.deployed_at
      cross join lateral (
        select from target_scopes s where s.user_id = ${userId} and s.scope = q.scope and s.target = t.target limit 1
      ) s
      where l.user_id = ${userId} and l.scope = q.scope limit 1
    ) c
    cross join lateral (${newestIn({ userId, target }, 1, newestId)}) d
  )
  else (
    select max(d.id) from (${newestIn({ userId, environment }, 200, sql`id, scopes`)}) d where q.scope = any(scopes)
  )
end`
