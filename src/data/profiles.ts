import { sql } from 'drizzle-orm'
import { coalesce } from '../database/coalesce.ts'
import type { Db } from '../database/db.ts'
import { inMs, nowInMs, rowsOf, texts } from '../database/sql.ts'
import type { User } from '../domain/account/user.ts'
import type { Category } from '../domain/category.ts'
import type { Overview } from '../domain/overview.ts'
import { releaseColumns, releaseOf } from './deployment-row.ts'
import { type Page, pageOf, pageSize } from './deployments.ts'
import { latestEvent } from './event-log.ts'
import { newestOfUser } from './feed-part.ts'
import { type OverviewRow, overviewIn, overviewOf } from './overviews.ts'

/** A user, when they joined, their numbers, and the newest page of their deployments. */
export type Profile = {
  readonly user: User
  readonly since: Date
  readonly overview: Overview
  readonly newest: Page
}

/**
 * Makes the function that reads the profile of a username, which is null where nobody has it; throws
 * Unavailable. Profiles that are asked for together are read in one statement.
 */
export function profileReader(db: Db): (username: string) => Promise<Profile | null> {
  return coalesce((usernames) => readProfiles(db, usernames), { inFlight: 2, batchSize: 16 })
}

type Entry = readonly [
  id: number,
  message: string,
  url: string | null,
  category: Category | null,
  deployedAtMs: number,
  environment: string | null,
  version: string | null,
  commit: string | null,
]

type Row = OverviewRow & {
  readonly n: string | number
  readonly user_id: string | number
  readonly username: string
  readonly name: string
  readonly since_ms: number
  readonly newest: readonly Entry[] | null
  readonly now_ms: number
  readonly seen: string | number
}

async function readProfiles(db: Db, usernames: readonly string[]): Promise<readonly (Profile | null)[]> {
  const rows = await db.read((queries) =>
    rowsOf<Row>(
      queries,
      sql`
        select n, users.id as user_id, users.username, name, ${inMs(sql`created_at`)} as since_ms,
          overview.*, list.*, ${nowInMs} as now_ms, ${latestEvent} as seen
        -- Selected: so the plan is one for any number of usernames.
        from unnest((select ${texts(usernames)})) with ordinality as asked(username, n)
        join users on users.username = asked.username
        cross join lateral (${overviewOf(sql`users.id`)}) overview
        cross join lateral (
          select json_agg(json_build_array(
            id, message, url, category, ${inMs(sql`deployed_at`)}, ${releaseColumns}
          )) as newest
          from (${newestOfUser(sql`users.id`, pageSize + 1)}) deployments
        ) list`,
    ),
  )
  const profiles: (Profile | null)[] = usernames.map(() => null)
  for (const row of rows) profiles[Number(row.n) - 1] = profileOf(row)
  return profiles
}

function profileOf(row: Row): Profile {
  const user = { id: Number(row.user_id), username: row.username, name: row.name }
  const newest = (row.newest ?? []).map(
    ([id, message, url, category, deployedAtMs, environment, version, commit]) => ({
      ...{ id, message, url, category, deployedAt: new Date(deployedAtMs) },
      ...releaseOf({ environment, version, commit }),
      poster: user,
    }),
  )
  return {
    user,
    since: new Date(row.since_ms),
    overview: overviewIn(row, new Date(row.now_ms)),
    newest: pageOf(newest, pageSize, row),
  }
}
