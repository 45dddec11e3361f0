import { sql } from 'drizzle-orm'
import { type Db, nowInMs, texts } from '../database/db.ts'
import type { ChosenProject, LiveInTarget } from '../domain/environment/board.ts'
import { wholeFeed } from '../domain/feed/feed.ts'
import { readBoards } from './current.ts'
import { coveredBy, newestOf, type SeenAt } from './feed-pages.ts'
import { latestEvent, oneRow } from './statements.ts'
import { readInstead } from './targets.ts'

/** A board of everyone has the targets of this many of the newest deployments. */
const newestOfEveryone = 2_000

const maxTargets = 100

/** Of each target. Of more environments, those are read whose order is known, and some others. */
const maxEnvironments = 20

/** A project with the scope that is read for it, which differs if the chosen one was joined into another. */
type FoundProject = ChosenProject & { readonly userId: number; readonly readScope: string }

/** The moment at which a board is read, and those of the chosen projects to which anything was deployed. */
export async function findChosen(db: Db, projects: readonly ChosenProject[]) {
  const [usernames, scopes] = [projects.map(({ username }) => username), projects.map(({ scope }) => scope)]
  const statement = sql`
    select ${nowInMs} as now_ms, ${latestEvent} as seen, (
      select coalesce(json_agg(json_build_object(
        'userId', users.id, 'username', username, 'scope', asked.scope, 'readScope', instead.scope
      )), '[]')
      from unnest(${texts(usernames)}, ${texts(scopes)}) asked(named, scope)
      cross join lateral (select id, username from users where username = named limit 1) users
      cross join lateral (
        select coalesce(${readInstead(sql`users.id`, sql`asked.scope`)}, asked.scope) as scope
      ) instead
      where exists (select from target_scopes s where s.user_id = users.id and s.scope = instead.scope)
    ) as found`
  const row = await db.read(oneRow<SeenAt & { found: readonly FoundProject[] }>(statement))
  return { found: row.found, now: new Date(row.now_ms), seen: row.seen }
}

/** What is live in each environment of these projects. */
export async function readChosen(
  db: Db,
  projects: readonly FoundProject[],
): Promise<readonly LiveInTarget[]> {
  const [userIds, scopes] = [
    projects.map(({ userId }) => String(userId)),
    projects.map(({ readScope }) => readScope),
  ]
  const targets = sql`
    select distinct asked.user_id, covered.target
    from unnest(${texts(userIds)}::bigint[], ${texts(scopes)}) asked(user_id, scope)
    cross join lateral (${coveredBy(sql`asked.user_id`, sql`asked.scope`)}) covered
    limit ${maxTargets}`
  return await readBoards(db, targets, maxEnvironments)
}

/** The same of the targets that anyone deployed to last, in this environment or in any. */
export async function readNewestBoards(db: Db, environment: string | null): Promise<readonly LiveInTarget[]> {
  const filter = environment === null ? wholeFeed : { ...wholeFeed, by: { environment } }
  const targets = sql`
    select user_id, target from (${newestOf(filter, { after: 0 }, newestOfEveryone)}) newest
    where target is not null and environment is not null
    group by user_id, target order by max(id) desc limit ${maxTargets}`
  return await readBoards(db, targets, maxEnvironments)
}
