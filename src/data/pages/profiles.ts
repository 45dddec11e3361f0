import { type SQL, sql } from 'drizzle-orm'
import { batch } from '../../database/batch.ts'
import { type Db, inMs, nowInMs, texts } from '../../database/db.ts'
import { environmentKey } from '../../domain/environment/environment.ts'
import { pageSize } from '../../domain/feed/feed.ts'
import { releaseOf } from '../../domain/release/release.ts'
import {
  type DeploymentDay,
  daysInOverview,
  maxRecent,
  type Overview,
} from '../../domain/statistics/overview.ts'
import { type Placed, rollbacksByDay } from '../../domain/statistics/rollback-days.ts'
import { environmentsByName, walkEnvironments } from '../current.ts'
import { deploymentOf, type OwnRow, ownColumns, type PosterRow, posterIn } from '../deployments.ts'
import { firstAnnouncedOf, newestIn, pageFrom, type SeenAt } from '../feed-pages.ts'
import { allRows, latestEvent } from '../statements.ts'
import { pageVersion } from './page-versions.ts'

/** How many environments of a user are read. If there may be more, those whose order is known are read by name. */
const maxEnvironments = 9

type Profile = ReturnType<typeof profileOf>

/** Makes the function that reads the profile of a username; null if there is no such user. */
export function profileReader(db: Db): (username: string) => Promise<Profile | null> {
  const limits = { inFlight: 2, batchSize: 16 }
  return batch(db, 'profiles', (usernames: readonly string[]) => readProfiles(db, usernames), limits)
}

type Row = OverviewRow &
  PosterRow &
  SeenAt & {
    readonly n: number
    readonly since_ms: number
    readonly newest: readonly OwnRow[] | null
    readonly environments: readonly (readonly [id: number, environment: string])[] | null
    readonly version: string
  }

async function readProfiles(db: Db, usernames: readonly string[]): Promise<readonly (Profile | null)[]> {
  const statement = sql`
    select n, users.id as user_id, users.username, name, to_jsonb(environment_order) as environment_order, ${inMs(sql`created_at`)} as since_ms,
      overview.*, list.*, live.*, ${nowInMs} as now_ms, ${latestEvent} as seen, ${pageVersion} as version
    -- The select gives one plan for any number of usernames.
    from unnest((select ${texts(usernames)})) with ordinality as asked(username, n)
    join users on users.username = asked.username
    cross join lateral (${overviewOf(sql`users.id`)}) overview
    cross join lateral (
      select json_agg(d) as newest from (
        select ${ownColumns} from (${newestIn({ userId: sql`users.id` }, pageSize + 1)}) deployments
      ) d
    ) list
    cross join lateral (
      select json_agg(json_build_array(id, environment)) as environments
      from (${walkEnvironments({ userId: sql`users.id` }, maxEnvironments)}) walked
    ) live`
  const rows = await db.read(allRows<Row>(statement), 'reserved')
  const profiles: (Profile | null)[] = usernames.map(() => null)
  for (const row of rows) profiles[row.n - 1] = await withKnownEnvironments(db, profileOf(row))
  return profiles
}

async function withKnownEnvironments(db: Db, profile: Profile): Promise<Profile> {
  const { user, environments } = profile
  if (environments.length < maxEnvironments) return profile
  // Asked of the primary, so that the page is not older than its version.
  const statement = environmentsByName({ userId: sql`${user.id}::bigint` })
  const known = await db.readPrimary(allRows<{ environment: string }>(statement), 'reserved')
  const names = [...environments, ...known.map(({ environment }) => environment)]
  const byKey = new Map(names.map((name) => [environmentKey(name), name]))
  return { ...profile, environments: [...byKey.values()] }
}

function profileOf(row: Row) {
  const { user_id, username, name, environment_order } = row
  const ofPoster = { user_id, username, name, environment_order }
  const newest = (row.newest ?? []).map((one) => deploymentOf({ ...one, ...ofPoster }))
  return {
    user: posterIn(row),
    since: new Date(row.since_ms),
    overview: overviewFrom(row),
    newest: pageFrom(newest, pageSize, row),
    /** Each as its newest deployment writes it: the newest first, then those with known names, if there are many. */
    environments: (row.environments ?? []).toSorted(([a], [b]) => b - a).map(([, name]) => name),
    version: row.version,
  }
}

/** Days and how many deployments each had. Two lists of plain values take a third of the time of a list of pairs. */
export type DaysRow = { readonly days: readonly number[] | null; readonly counts: readonly number[] | null }

type PlacedColumn = readonly [
  id: number,
  target: string,
  environment: string,
  version: string | null,
  commit: string | null,
  deployedAtMs: number,
]

/** The columns of an overview. An empty list is null. */
export type OverviewRow = DaysRow & {
  readonly first_day: number | null
  readonly first_announced_day: number | null
  readonly recent_ms: readonly number[] | null
  readonly placed: readonly PlacedColumn[] | null
  readonly targets: readonly string[] | null
  readonly targets_ms: readonly number[] | null
  readonly now_ms: number
}

export const milliseconds = inMs(sql`deployed_at`)

/** What an overview reads of the latest deployments, and the two lists that it makes of them, in this order. */
export const columnsOfRecent = sql`id, deployed_at, target, environment, version, commit`
export const recentLists = (order = sql``) => sql`
  json_agg(${milliseconds}${order}) as recent_ms,
  json_agg(json_build_array(id, target, environment, version, commit, ${milliseconds})${order})
    filter (where target is not null and environment is not null) as placed`

export const isInYear = sql`day > utc_day(statement_timestamp()) - ${daysInOverview}::int`

/** The relation of one row with these columns but the last, for the user with this id: each part walks one index. */
function overviewOf(userId: SQL): SQL {
  return sql`
    select days.*, first.*, recent.*, targets.*
    from (
      select json_agg(day - date '1970-01-01') as days, json_agg(deployments) as counts from (
        select day, deployments from daily_deployments where user_id = ${userId} and ${isInYear} order by user_id, day
      ) d
    ) days, (
      select (
        select day - date '1970-01-01' from daily_deployments where user_id = ${userId} order by user_id, day limit 1
      ) as first_day,
      (select utc_day(deployed_at) - date '1970-01-01' from (${firstAnnouncedOf(userId)}) d) as first_announced_day
    ) first, (
      select ${recentLists()} from (${newestIn({ userId }, maxRecent, columnsOfRecent)}) d
    ) recent, (
      select json_agg(target) as targets, json_agg(${milliseconds}) as targets_ms from (
        select target, deployed_at from targets
        where user_id = ${userId} order by user_id desc, deployed_at desc limit ${maxRecent}
      ) t
    ) targets`
}

/** The overview of such a row. */
export function overviewFrom(row: OverviewRow): Overview {
  const { targets, targets_ms } = row
  const rollbacks = rollbacksByDay((row.placed ?? []).map(placedOf))
  return {
    days: daysFrom(row).map((one) => ({ ...one, rollbacks: rollbacks.get(one.day) })),
    firstDay: row.first_day,
    firstAnnouncedDay: row.first_announced_day,
    recent: (row.recent_ms ?? []).map((instant) => new Date(instant)),
    targets: (targets ?? []).map((target, n) => ({ target, deployedAt: new Date(targets_ms?.[n] ?? 0) })),
    now: new Date(row.now_ms),
  }
}

function placedOf([id, target, environment, version, commit, deployedAtMs]: PlacedColumn): Placed {
  return { ...releaseOf({ version, commit }), id, target, environment, deployedAt: new Date(deployedAtMs) }
}

/** The days of such a row. */
export function daysFrom({ days, counts }: DaysRow): DeploymentDay[] {
  return (days ?? []).map((day, n) => ({ day, deployments: counts?.[n] ?? 0 }))
}
