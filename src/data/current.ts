import { type SQL, sql } from 'drizzle-orm'
import { type Db, texts } from '../database/db.ts'
import {
  type Current,
  type LiveEnvironment,
  type LiveInTarget,
  mostAhead,
  stages,
  stagesBefore,
  wordEnd,
} from '../domain/environments.ts'
import type { FeedFilter } from '../domain/feed/feed.ts'
import { type DeploymentRow, deploymentColumns, deploymentOf, posterOf } from './deployments.ts'
import { coveredBy, maxCovered, newestIn } from './feed-pages.ts'
import { environmentKeyColumn } from './schema.ts'
import { allRows } from './statements.ts'

/** How many environments of a target are read: a pipeline that makes one for each pull request makes thousands. */
const maxEnvironments = 200

const maxPairs = 1_000

/** Which deployments of a user count. The scope must not be too broad (`isTooBroad` in feed-pages.ts). */
export type CurrentFilter = Pick<FeedFilter, 'scope' | 'environment'> & { readonly userId: number }

/** The newest deployment of each environment of the targets in a scope, or of the latest ones. */
export async function readCurrent(db: Db, filter: CurrentFilter): Promise<readonly Current[]> {
  const { userId, scope, environment } = filter
  const ofTarget = { userId: sql`${userId}::bigint`, target: sql`asked.target` }
  const newest =
    environment === null
      ? newestOfEachEnvironment(ofTarget)
      : newestIn({ ...ofTarget, environment: sql`${environment}::text` }, 1, sql`id`)
  const statement = sql`
    ${posterOf(userId)}
    select ${deploymentColumns}, target from ${pairsIn(targetsIn(userId, scope), newest)}
    order by deployments.id desc`
  const rows = await db.read(allRows<DeploymentRow & { target: string }>(statement))
  return rows.map((row) => ({ target: row.target, deployment: deploymentOf(row) }))
}

export type LiveRow = DeploymentRow & {
  readonly target: string
  readonly recent: readonly (readonly [number, string | null, string | null, message: string])[] | null
}

/** The rows of what is live in each environment of a target. Those that can be ahead have the latest deployments. */
export function boardOfTarget(userId: number, target: string): SQL {
  // The beginning of a message holds its headline.
  return boardsOf(userId, sql`select ${target}::text as target`, sql`left(message, 200)`)
}

/** What a row of `boardOfTarget` says. */
export function liveEnvironmentOf(row: LiveRow): LiveEnvironment {
  const recent = (row.recent ?? []).map(([id, version, commit, message]) => {
    return { id, message, version: version ?? undefined, commit: commit ?? undefined }
  })
  return { deployment: deploymentOf(row), recent }
}

/** What is live in each environment of the targets that `readCurrent` reads, without messages. */
export async function readEnvironments(
  db: Db,
  { userId, scope }: Pick<CurrentFilter, 'userId' | 'scope'>,
): Promise<readonly LiveInTarget[]> {
  const rows = await db.read(allRows<LiveRow>(boardsOf(userId, targetsIn(userId, scope), sql`''`)))
  return rows.map((row) => ({ target: row.target, ...liveEnvironmentOf(row) }))
}

function boardsOf(userId: number, targets: SQL, message: SQL): SQL {
  const ofUser = { userId: sql`${userId}::bigint` }
  const live = newestOfEachEnvironment({ ...ofUser, target: sql`asked.target` })
  const recent = newestIn(
    { ...ofUser, target: sql`live_in.target`, environment: sql`live_in.key` },
    mostAhead + 1,
    sql`id, version, commit, ${message} as message`,
  )
  return sql`
    ${posterOf(userId)}
    select ${deploymentColumns}, live_in.target, case when regexp_split_to_array(live_in.key, ${wordEnd}) && ${texts(stagesBefore)} then (
      select json_agg(json_build_array(r.id, r.version, r.commit, r.message)) from (${recent}) r
    ) end as recent
    from ${pairsIn(targets, live)}
    cross join lateral (select deployments.target, ${environmentKeyColumn} as key) live_in
    order by deployments.id desc`
}

/** The deployments whose ids `newest` selects for each target (the alias `asked`), and the poster of `posterOf`. */
function pairsIn(targets: SQL, newest: SQL): SQL {
  return sql`(
      select newest.id from (${targets}) asked cross join lateral (${newest}) newest limit ${maxPairs}
    ) current
    cross join lateral (select * from deployments d where d.id = current.id limit 1) deployments
    cross join users`
}

function targetsIn(userId: number, scope: string | null): SQL {
  return scope === null
    ? sql`
        select target from targets where user_id = ${userId}
        order by user_id desc, deployed_at desc limit ${maxCovered}`
    : coveredBy(userId, scope)
}

/** The id of the newest row in each environment of a target. Beyond the limit, known names are looked for, too. */
function newestOfEachEnvironment(part: { userId: SQL; target: SQL }): SQL {
  return sql`
    with walked as (${walkEnvironments(part, maxEnvironments)})
    select id from walked
    union
    select id from (${environmentsByName(part)}) named where (select count(*) from walked) = ${maxEnvironments}`
}

/** The id and the environment of the newest row in each environment whose order is known, of a target or of a user. */
export function environmentsByName(part: { userId: SQL; target?: SQL }): SQL {
  return sql`
    select newest.*
    from unnest(${texts(stages.flat())}) name
    cross join lateral (${newestIn({ ...part, environment: sql`name` }, 1, sql`id, environment`)}) newest`
}

/**
 * The id and the environment of the newest row in each environment, with one probe for each, in the order of names. The
 * last probe finds a row of another part (see `walk` in feed-pages.ts).
 */
export function walkEnvironments({ userId, target }: { userId: SQL; target?: SQL }, most: number): SQL {
  const key = environmentKeyColumn
  const [columns, values, order, isKept, isOwn] =
    target === undefined
      ? [sql`user_id`, userId, sql`user_id desc`, sql``, sql`walk.user_id = ${userId}`]
      : [
          sql`user_id, target`,
          sql`${userId}, ${target}`,
          sql`user_id desc, target desc`,
          sql` and target is not null`,
          sql`walk.user_id = ${userId} and walk.target = ${target}`,
        ]
  const newest = (isFurther: SQL) => sql`
    select id, user_id, target, environment, ${key} as key from deployments
    where ${isFurther}${isKept} and environment is not null
    order by ${order}, ${key} desc, id desc limit 1`
  return sql`
    with recursive walk as (
      (${newest(sql`(${columns}) <= (${values})`)})
      union all
      select further.* from walk
      cross join lateral (${newest(sql`(${columns}, ${key}) < (${values}, walk.key)`)}) further
      where ${isOwn}
    )
    select id, environment from walk where ${isOwn} limit ${most}`
}
