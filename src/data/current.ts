import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { rowsOf, texts } from '../database/sql.ts'
import { type Current, type LiveEnvironment, mostAhead, stages } from '../domain/environments.ts'
import type { FeedFilter } from '../domain/feed.ts'
import type { DeploymentRow } from './deployment-row.ts'
import { deploymentColumns, deploymentOf } from './deployment-row.ts'
import { maxCovered, newestInEnvironment } from './feed-part.ts'
import { environmentKeyColumn } from './schema.ts'

/** A pipeline that makes an environment for each pull request makes thousands; this many of a target are read. */
const maxEnvironments = 200

/** How many pairs of a target and an environment are read altogether. */
const maxPairs = 1_000

/** The deployments of a user that count; the scope is not too broad (`isTooBroad` in feed-part.ts). */
export type CurrentFilter = Pick<FeedFilter, 'scope' | 'environment'> & { readonly userId: number }

/**
 * The newest deployment of each target and environment, the newest first (docs/decisions.md#environments): of
 * the targets that a scope covers, or of the user's latest ones. Throws Unavailable.
 */
export async function readCurrent(db: Db, filter: CurrentFilter): Promise<readonly Current[]> {
  const { userId, scope, environment } = filter
  const ofTarget = { userId: sql`${userId}::bigint`, target: sql`asked.target` }
  const newest =
    environment === null
      ? newestOfEachEnvironment(ofTarget)
      : newestInEnvironment({ ...ofTarget, environment: sql`${environment}::text` }, 1, sql`id`)
  const rows = await db.read((queries) =>
    rowsOf<DeploymentRow & { target: string }>(
      queries,
      sql`
        select ${deploymentColumns}, target
        from (
          select newest.id
          from (${targetsIn(userId, scope)}) asked cross join lateral (${newest}) newest
          limit ${maxPairs}
        ) current
        cross join lateral (select * from deployments d where d.id = current.id limit 1) deployments
        cross join lateral (select id, username, name from users where id = ${userId} limit 1) users
        order by deployments.id desc`,
    ),
  )
  return rows.map((row) => ({ target: row.target, deployment: deploymentOf(row) }))
}

export type BoardRow = DeploymentRow & { readonly recent: readonly RecentRow[] | null }
type RecentRow = readonly [id: number, message: string, version: string | null, commit: string | null]

/**
 * The rows of what is live in each environment of a user's target, the newest first, with the latest deployments
 * to those whose order is known.
 */
export function boardRows(userId: number, target: string): SQL {
  const part = { userId: sql`${userId}::bigint`, target: sql`${target}::text` }
  const key = sql`live_in.key`
  // The beginning of a message holds its headline.
  const compared = sql`id, left(message, 200) as message, version, commit`
  return sql`
    select ${deploymentColumns}, case when ${key} = any(${texts(stages.flat())}) then (
      select json_agg(json_build_array(r.id, r.message, r.version, r.commit))
      from (${newestInEnvironment({ ...part, environment: key }, mostAhead + 1, compared)}) r
    ) end as recent
    from (${newestOfEachEnvironment(part)}) current
    cross join lateral (select * from deployments d where d.id = current.id limit 1) deployments
    cross join lateral (select ${environmentKeyColumn} as key) live_in
    cross join lateral (select id, username, name from users where id = ${userId} limit 1) users
    order by deployments.id desc`
}

/** What such a row says. */
export function liveEnvironmentOf(row: BoardRow): LiveEnvironment {
  return {
    deployment: deploymentOf(row),
    recent: (row.recent ?? []).map(([id, message, version, commit]) => ({
      ...{ id, message },
      ...{ version: version ?? undefined, commit: commit ?? undefined },
    })),
  }
}

function targetsIn(userId: number, scope: string | null): SQL {
  return scope === null
    ? sql`
        select target from targets where user_id = ${userId}
        order by user_id desc, deployed_at desc limit ${maxCovered}`
    : sql`select target from target_scopes where user_id = ${userId} and scope = ${scope} limit ${maxCovered}`
}

/**
 * The id of the newest row in each environment of a target: one probe for each, from one name to the one before
 * it. If there are too many, those whose order is known are looked for by name.
 */
function newestOfEachEnvironment({ userId, target }: { userId: SQL; target: SQL }): SQL {
  const key = environmentKeyColumn
  const last = (isFurther: SQL) => sql`
    select id, ${key} as key from deployments
    where (user_id, target, ${key}) >= (${userId}, ${target}, '') and ${isFurther}
      and target is not null and environment is not null
    order by user_id desc, target desc, ${key} desc, id desc limit 1`
  return sql`
    with recursive walk as (
      (${last(sql`(user_id, target) <= (${userId}, ${target})`)})
      union all
      select further.* from walk
      cross join lateral (${last(sql`(user_id, target, ${key}) < (${userId}, ${target}, walk.key)`)}) further
    ),
    walked as (select id from walk limit ${maxEnvironments})
    select id from walked
    union
    select named.id
    from unnest(${texts(stages.flat())}) name
    cross join lateral (${newestInEnvironment({ userId, target, environment: sql`name` }, 1, sql`id`)}) named
    where (select count(*) from walked) = ${maxEnvironments}`
}
