import { type SQL, sql } from 'drizzle-orm'
import { type Db, inMs, texts } from '../database/db.ts'
import { isDeleted } from '../domain/account/user.ts'
import {
  type Current,
  type LiveEnvironment,
  type LiveInTarget,
  maxAhead,
} from '../domain/environment/board.ts'
import { stages, stagesBefore, wordEnd } from '../domain/environment/stages.ts'
import type { FeedFilter } from '../domain/feed/feed.ts'
import {
  announcedDeploymentColumns,
  type DeploymentRow,
  deploymentColumns,
  deploymentOf,
  posterOf,
  posterOfEach,
} from './deployments.ts'
import { facetKey, facetValues } from './facets.ts'
import { coveredBy, maxCovered, newestIn } from './feed-pages.ts'
import { allRows } from './statements.ts'

const environmentKey = facetKey('environment')

/** How many environments of a target are read: a pipeline that makes one for each pull request makes thousands. */
const maxEnvironments = 200

const maxPairs = 1_000

/** Which deployments of a user count. The scope must not be too broad (`isTooBroad` in feed-pages.ts). */
type CurrentFilter = Pick<FeedFilter, 'scope'> & {
  readonly userId: number
  readonly environment?: string | undefined
}

/** The newest deployment of each environment of the targets in a scope, or of the latest ones. */
export async function readCurrent(db: Db, filter: CurrentFilter): Promise<readonly Current[]> {
  const { userId, scope, environment } = filter
  const ofTarget = { userId: sql`${userId}::bigint`, target: sql`asked.target` }
  const newest =
    environment === undefined
      ? newestOfEachEnvironment(ofTarget)
      : newestIn({ ...ofTarget, by: facetValues({ environment }) }, 1, sql`id`)
  const statement = sql`
    ${posterOf(userId)}
    select ${announcedDeploymentColumns}, target from ${pairsIn(targetsIn(userId, scope), newest)} cross join users
    order by deployments.id desc`
  const rows = await db.read(allRows<DeploymentRow & { target: string }>(statement))
  return rows.map((row) => ({ target: row.target, deployment: deploymentOf(row) }))
}

export type LiveRow = DeploymentRow & {
  readonly target: string
  readonly recent: readonly RecentRow[] | null
}

type RecentRow = Pick<DeploymentRow, 'id' | 'version' | 'commit' | 'message' | 'deployed_at_ms'>

/** The rows of what is live in each environment of a target. Those that can be ahead have the latest deployments. */
export function boardOfTarget(userId: number, target: string): SQL {
  // The beginning of a message holds its headline.
  const one = ofUser(userId, sql`select ${target}::text as target`)
  return boardsOf(one, sql`left(message, 200)`, deploymentColumns)
}

/** What a row of `boardOfTarget` says. */
export function liveEnvironmentOf(row: LiveRow): LiveEnvironment {
  const recent = (row.recent ?? []).map(({ id, version, commit, message, deployed_at_ms }) => ({
    ...{ id, message, deployedAt: new Date(deployed_at_ms) },
    ...{ version: version ?? undefined, commit: commit ?? undefined },
  }))
  return { deployment: deploymentOf(row), recent }
}

/** What is live in each environment of the targets that `readCurrent` reads, without messages. */
export async function readEnvironments(
  db: Db,
  { userId, scope }: Pick<CurrentFilter, 'userId' | 'scope'>,
): Promise<readonly LiveInTarget[]> {
  return await readBoards(db, ofUser(userId, targetsIn(userId, scope)))
}

/** The same of the targets of any users: `targets` selects each with its `user_id`. */
export async function readBoards(
  db: Db,
  targets: SQL,
  max = maxEnvironments,
): Promise<readonly LiveInTarget[]> {
  const boards = boardsOf(targets, sql`''`, announcedDeploymentColumns, max)
  const rows = await db.read(allRows<LiveRow>(boards))
  return rows
    .filter(({ username }) => !isDeleted(username))
    .map((row) => ({ target: row.target, ...liveEnvironmentOf(row) }))
}

function ofUser(userId: number, targets: SQL): SQL {
  return sql`select ${userId}::bigint as user_id, target from (${targets}) of_user`
}

function boardsOf(targets: SQL, message: SQL, columns: SQL, max = maxEnvironments): SQL {
  const live = newestOfEachEnvironment({ userId: sql`asked.user_id`, target: sql`asked.target` }, max)
  const recent = newestIn(
    { userId: sql`live_in.user_id`, target: sql`live_in.target`, by: { environment: sql`live_in.key` } },
    maxAhead + 1,
    sql`id, version, commit, ${inMs(sql`deployed_at`)} as deployed_at_ms, ${message} as message`,
  )
  return sql`
    select ${columns}, live_in.target, case when ${canBeAhead} then (
      select json_agg(r) from (${recent}) r
    ) end as recent
    from ${pairsIn(targets, live)} ${posterOfEach}
    cross join lateral (select deployments.user_id, deployments.target, ${environmentKey} as key) live_in
    order by deployments.id desc`
}

/** Whether the name of an environment has a word of one that comes before another: in the usual or the owner's order. */
const canBeAhead = sql`
  ${wordsOf(sql`live_in.key`)} && coalesce(
    ${wordsOf(sql`array_to_string(users.environment_order, '/')`)}, ${texts(stagesBefore)}
  )`

/** The words of a name without its digits, such as that of `qa1` and `staging-2`. */
function wordsOf(name: SQL): SQL {
  return sql`regexp_split_to_array(regexp_replace(${name}, '[0-9]+', '', 'g'), ${wordEnd})`
}

/** The deployments whose ids `newest` selects for each target (the alias `asked`). */
function pairsIn(targets: SQL, newest: SQL): SQL {
  return sql`(
      select newest.id from (${targets}) asked cross join lateral (${newest}) newest limit ${maxPairs}
    ) current
    cross join lateral (select * from deployments d where d.id = current.id limit 1) deployments`
}

function targetsIn(userId: number, scope: string | null): SQL {
  return scope === null
    ? sql`
        select target from targets where user_id = ${userId}
        order by user_id desc, deployed_at desc limit ${maxCovered}`
    : coveredBy(userId, scope)
}

/** The id of the newest row in each environment of a target. Beyond the limit, known names are looked for, too. */
export function newestOfEachEnvironment(part: { userId: SQL; target: SQL }, most = maxEnvironments): SQL {
  return sql`
    with walked as (${walkEnvironments(part, most)})
    select id from walked
    union
    select id from (${environmentsByName(part)}) named where (select count(*) from walked) = ${most}`
}

/** The id and the environment of the newest row in each environment whose order is known, of a target or of a user. */
export function environmentsByName(part: { userId: SQL; target?: SQL }): SQL {
  return sql`
    select newest.*
    from unnest(
      coalesce((select environment_order from users where users.id = ${part.userId}), ${texts(stages.flat())})
    ) name
    cross join lateral (${newestIn({ ...part, by: { environment: sql`name` } }, 1, sql`id, environment`)}) newest`
}

/**
 * The id and the environment of the newest row in each environment, with one probe for each, in the order of names. The
 * last probe finds a row of another part (see `walk` in feed-pages.ts).
 */
export function walkEnvironments({ userId, target }: { userId: SQL; target?: SQL }, max: number): SQL {
  const key = environmentKey
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
    select id, environment from walk where ${isOwn} limit ${max}`
}
