import { type SQL, sql } from 'drizzle-orm'
import { batch } from '../../database/batch.ts'
import { type Db, inMs, nowInMs } from '../../database/db.ts'
import { firstRelease, isPrerelease } from '../../domain/announcement/prerelease.ts'
import { maxCovered, newestIn } from '../feed-pages.ts'
import { allRows } from '../statements.ts'
import { asked, type BadgeQuestion, userId } from './asked.ts'
import type { LatestAnswer } from './latest.ts'

/** An answer with the version of the deployment that it is about, null if it has none. */
export type ReleaseAnswer = LatestAnswer & { readonly version: string | null }

type ReadRelease = (question: BadgeQuestion) => Promise<ReleaseAnswer>

/**
 * Makes the functions that find the latest deployment with its version: `newest` any, `release` the newest that is no
 * prerelease. If the last 50 are all prereleases, it also is the newest.
 */
export function releaseReaders(db: Db): { readonly newest: ReadRelease; readonly release: ReadRelease } {
  // Small batches, because each question may need a probe for each of 200 targets, or 50 rows of each of 20.
  const newest = batch(db, 'badges', (questions: readonly BadgeQuestion[]) => readNewest(db, questions), {
    inFlight: 2,
    batchSize: 32,
  })
  const recent = batch(db, 'badges', (questions: readonly BadgeQuestion[]) => readRecent(db, questions), {
    inFlight: 2,
    batchSize: 8,
  })
  return {
    newest,
    async release(question) {
      const answer = await newest(question)
      if (answer.version === null || !isPrerelease(answer.version)) return answer
      return firstRelease(await recent(question)) ?? answer
    },
  }
}

const by = { environment: sql`q.environment` }
const isAnywhere = sql`${by.environment} is null`
const covered = sql`
  select target from target_scopes s where s.user_id = ${userId} and s.scope = q.scope limit ${maxCovered + 1}`

type ReleaseRow = Pick<ReleaseAnswer, 'version'> & {
  readonly n: number
  readonly user_id: number | null
  readonly latest_ms: number | null
  readonly now_ms: number
}

/** Reads the deployments themselves: a withdrawal, a pruning or a new rule of targets leaves no derived row behind. */
async function readNewest(db: Db, questions: readonly BadgeQuestion[]): Promise<readonly ReleaseAnswer[]> {
  const statement = sql`
    select q.n, ${userId} as user_id, ${nowInMs} as now_ms, ${inMs(sql`deployed_at`)} as latest_ms, version
    from ${asked(questions)}
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
  when q.scope = '' then (${newestIn({ userId, by }, 1, newestId)})
  when cardinality(covered.targets) <= ${maxCovered} then case
    when ${isAnywhere} then (select max(d.id) ${fromCovered(newestIn({ userId, target }, 1, newestId))})
    else (select max(d.id) ${fromCovered(newestIn({ userId, target, by }, 1, newestId))})
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
    select max(d.id) from (${newestIn({ userId, by }, 200, sql`id, scopes`)}) d where q.scope = any(scopes)
  )
end`

/** So many of the newest deployments are searched for one that is no prerelease. */
const searched = 50

type RecentRow = {
  readonly n: number
  readonly now_ms: number
  readonly found: readonly (readonly [id: number, version: string | null, atMs: number])[] | null
}

/** The newest deployments of each question, the newest first. */
async function readRecent(
  db: Db,
  questions: readonly BadgeQuestion[],
): Promise<readonly (readonly ReleaseAnswer[])[]> {
  const found = sql`json_build_array(id, version, ${inMs(sql`deployed_at`)})`
  const statement = sql`
    select q.n, ${nowInMs} as now_ms, recent.found
    from ${asked(questions)}
    left join lateral (select case when q.scope <> '' then array(${covered}) end as targets) covered on true
    left join lateral (select json_agg(${found}) as found from (${recentRows}) d) recent on true`
  const rows = await db.read(allRows<RecentRow>(statement), 'reserved')
  const answers: (readonly ReleaseAnswer[])[] = []
  for (const { n, now_ms, found } of rows) {
    const newestFirst = (found ?? []).toSorted(([one], [other]) => other - one).slice(0, searched)
    const now = new Date(now_ms)
    answers[n - 1] = newestFirst.map(([, version, atMs]) => {
      return { isKnown: true, latest: new Date(atMs), version, now }
    })
  }
  return answers
}

/** Of more targets, the deployments in the scope are looked for among the newest of the user, or to the environment. */
const mostWalked = 20

const columns = sql`id, version, deployed_at`
const ofAll = sql`q.scope = ''`
const ofFew = sql`cardinality(covered.targets) <= ${mostWalked}`
const ofMany = sql`cardinality(covered.targets) > ${mostWalked}`

const recentRows = sql.join(
  [
    { isAsked: isAnywhere, part: {} },
    { isAsked: sql`not ${isAnywhere}`, part: { by } },
  ].flatMap(({ isAsked, part }) => {
    const newest = newestIn({ userId, ...part }, searched, columns)
    const ofTarget = newestIn({ userId, ...part, target }, searched, columns)
    const ofUser = newestIn({ userId, ...part }, 200, sql`${columns}, scopes`)
    return [
      sql`select d.* from (${newest}) d where ${isAsked} and ${ofAll}`,
      sql`select d.* ${fromCovered(ofTarget)} where ${isAsked} and ${ofFew}`,
      sql`select ${columns} from (${ofUser}) d where ${isAsked} and ${ofMany} and q.scope = any(scopes)`,
    ]
  }),
  sql` union all `,
)
