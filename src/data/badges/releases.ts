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
  const reader = (rows: SQL, batchSize: number) =>
    batch(db, 'badges', (questions: readonly BadgeQuestion[]) => readRows(db, questions, rows), {
      inFlight: 2,
      batchSize,
    })
  // Small batches, because each question may need a probe for each of 200 targets, or 50 rows of each of 20.
  const readNewest = reader(newestRows(1, maxCovered, atInstantOfScope), 32)
  const readRecent = reader(newestRows(searched, 20), 8)
  const newest: ReadRelease = async (question) => {
    const { found, ...answer } = await readNewest(question)
    return { ...answer, latest: null, version: null, ...found[0] }
  }
  return {
    newest,
    async release(question) {
      const answer = await newest(question)
      if (answer.version === null || !isPrerelease(answer.version)) return answer
      const { found } = await readRecent(question)
      return { ...answer, ...firstRelease(found) }
    },
  }
}

type Found = Pick<ReleaseAnswer, 'latest' | 'version'>
type Read = Pick<ReleaseAnswer, 'isKnown' | 'now'> & { readonly found: readonly Found[] }

type Row = {
  readonly n: number
  readonly user_id: number | null
  readonly now_ms: number
  readonly found: readonly (readonly [id: number, version: string | null, atMs: number])[] | null
}

/** So many of the newest deployments are searched for one that is no prerelease. */
const searched = 50

const by = { environment: sql`q.environment` }
const isAnywhere = sql`${by.environment} is null`
const target = sql`c.target`
const columns = sql`id, version, deployed_at`

/**
 * The newest deployments of each question, the newest first. Reads the deployments themselves: a withdrawal, a pruning
 * or a new rule of targets leaves no derived row behind.
 */
async function readRows(db: Db, questions: readonly BadgeQuestion[], rows: SQL): Promise<readonly Read[]> {
  const statement = sql`
    select q.n, ${userId} as user_id, ${nowInMs} as now_ms, newest.found
    from ${asked(questions)}
    left join lateral (
      select case when q.scope <> '' then array(
        select target from target_scopes s where s.user_id = ${userId} and s.scope = q.scope limit ${maxCovered + 1}
      ) end as targets
    ) covered on true
    left join lateral (
      select json_agg(json_build_array(id, version, ${inMs(sql`deployed_at`)})) as found from (${rows}) d
    ) newest on true`
  const answers: Read[] = []
  for (const { n, user_id, now_ms, found } of await db.read(allRows<Row>(statement), 'reserved')) {
    const newestFirst = (found ?? []).toSorted(([one], [other]) => other - one).slice(0, searched)
    answers[n - 1] = {
      isKnown: user_id !== null,
      now: new Date(now_ms),
      found: newestFirst.map(([, version, atMs]) => ({ version, latest: new Date(atMs) })),
    }
  }
  return answers
}

/**
 * So many of the newest deployments of a question: one walk of an index for everything, else one for each target that the
 * scope covers. Of more than `maxTargets`, those in the scope are looked for among the newest of the user, or to the
 * environment; for any environment, `ofMany` finds them.
 */
function newestRows(limit: number, maxTargets: number, ofMany = amongNewest({})): SQL {
  const ofKind = (isAsked: SQL, part: { readonly by?: typeof by }, ofMany: SQL) => [
    sql`
      select d.* from (${newestIn({ userId, ...part }, limit, columns)}) d where ${isAsked} and q.scope = ''`,
    sql`
      select d.* from unnest(covered.targets) as c(target)
      cross join lateral (${newestIn({ userId, ...part, target }, limit, columns)}) d
      where ${isAsked} and cardinality(covered.targets) <= ${maxTargets}`,
    sql`
      select d.* from (${ofMany}) d where ${isAsked} and cardinality(covered.targets) > ${maxTargets}`,
  ]
  const rows = [
    ...ofKind(isAnywhere, {}, ofMany),
    ...ofKind(sql`not ${isAnywhere}`, { by }, amongNewest({ by })),
  ]
  return sql.join(rows, sql` union all `)
}

function amongNewest(part: { readonly by?: typeof by }): SQL {
  const newest = newestIn({ userId, ...part }, 200, sql`${columns}, scopes`)
  return sql`select ${columns} from (${newest}) newest where q.scope = any(scopes)`
}

/** The newest of the target with the instant of the scope. */
const atInstantOfScope = sql`
  select d.* from (
    select t.target from latest_deployments l join targets t on t.user_id = l.user_id and t.deployed_at = l.deployed_at
    cross join lateral (
      select from target_scopes s where s.user_id = ${userId} and s.scope = q.scope and s.target = t.target limit 1
    ) s
    where l.user_id = ${userId} and l.scope = q.scope limit 1
  ) c
  cross join lateral (${newestIn({ userId, target }, 1, columns)}) d`
