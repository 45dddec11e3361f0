import { sql } from 'drizzle-orm'
import { environmentsByName, walkEnvironments } from '../../data/current.ts'
import { type DeploymentRow, deploymentOf, withPoster } from '../../data/deployments.ts'
import { newestIn } from '../../data/feed-pages.ts'
import { allRows, oneRow } from '../../data/statements.ts'
import { type Db, texts } from '../../database/db.ts'
import { environmentKey } from '../../domain/environment/environment.ts'
import { ofLastStage } from '../../domain/environment/stages.ts'
import { type Changelog, changelogOf, deploymentsRead, wholeEntries } from './rules.ts'

/** How many environments are looked at, and how many regions of the last stage are read. */
const most = { environments: 200, regions: 8 } as const

/** The changelog of a target itself, with what was deployed to its last stage. Null if nothing was deployed to it. */
export async function findChangelog(
  db: Db,
  { user, target, before }: Pick<Changelog, 'user' | 'target' | 'before'>,
): Promise<Changelog | null> {
  const userId = user.id
  const ofTarget = { userId: sql`${userId}::bigint`, target: sql`${target}::text` }
  const { found, known } = await db.read(
    oneRow<{ readonly found: boolean; readonly known: readonly string[] | null }>(sql`
      select exists (select from targets where user_id = ${userId} and target = ${target}) as found, (
        select json_agg(environment order by id desc) from (
          select * from (${walkEnvironments(ofTarget, most.environments)}) walked
          union
          select * from (${environmentsByName(ofTarget)}) named
        ) known
      ) as known`),
  )
  if (!found) return null
  const environments = ofLastStage(known ?? [], user.environmentOrder).slice(0, most.regions)
  const newest = (by: Parameters<typeof newestIn>[0]['by']) =>
    newestIn({ ...ofTarget, by }, deploymentsRead + 1, undefined, before)
  const list =
    environments.length === 0
      ? newest({})
      : sql`
          select newest.* from unnest(${texts(environments.map(environmentKey))}) name
          cross join lateral (${newest({ environment: sql`name` })}) newest
          order by newest.id desc limit ${deploymentsRead + 1}`
  const rows = await db.read(allRows<DeploymentRow>(withPoster(list, userId)))
  const read = rows.slice(0, deploymentsRead).map(deploymentOf)
  const deployments = rows.length > read.length ? read.slice(0, wholeEntries(read)) : read
  return {
    ...{ user, target, before, environments },
    entries: changelogOf(deployments),
    older: rows.length > deployments.length ? (deployments.at(-1)?.id ?? null) : null,
  }
}
