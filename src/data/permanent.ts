import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { inMs, nowInMs, rowsOf } from '../database/sql.ts'
import type { Deployment, Neighbour } from '../domain/deployment.ts'
import { type DeploymentDay, daysInOverview } from '../domain/overview.ts'
import { type DeploymentRow, deploymentColumns, deploymentOf } from './deployment-row.ts'
import { besideOne } from './feed-part.ts'

/** Which deployment: of whom, as usernames are stored, and its id. */
type Which = { readonly username: string; readonly id: number }

/** A deployment with its neighbours in its project or, without a link, in all that its poster announced. */
export type Permanent = {
  readonly deployment: Deployment
  /** The scope of its project, null without a link. */
  readonly target: string | null
  readonly before: Neighbour | null
  readonly after: Neighbour | null
  /** The database's time. */
  readonly now: Date
}

type NeighbourRow = readonly [id: number, message: string, deployedAtMs: number]

type PermanentRow = DeploymentRow & {
  readonly target: string | null
  readonly before: NeighbourRow | null
  readonly after: NeighbourRow | null
  readonly now_ms: number
}

/** What the permanent page shows, read in one statement, or null if there is no such deployment. */
export async function findPermanent(db: Db, which: Which): Promise<Permanent | null> {
  const [row] = await db.read((queries) =>
    rowsOf<PermanentRow>(
      queries,
      sql`
        select ${deploymentColumns}, deployments.target, ${nowInMs} as now_ms,
          ${neighbour(which.id, 'before')} as before, ${neighbour(which.id, 'after')} as after
        from ${onlyThe(which)}`,
    ),
  )
  if (row === undefined) return null
  return {
    deployment: deploymentOf(row),
    target: row.target,
    before: neighbourOf(row.before),
    after: neighbourOf(row.after),
    now: new Date(row.now_ms),
  }
}

/** What the picture of a deployment tells: also the days of the year up to it, of its project or its poster. */
export type Card = {
  readonly deployment: Deployment
  readonly target: string | null
  readonly days: readonly DeploymentDay[]
}

type CardRow = DeploymentRow & {
  readonly target: string | null
  readonly days: readonly (readonly [day: number, deployments: number])[] | null
}

/** What the picture of a deployment shows, read in one statement, or null if there is no such deployment. */
export async function findCard(db: Db, which: Which): Promise<Card | null> {
  const counted = sql`json_agg(json_build_array(day - date '1970-01-01', deployments))`
  const last = sql`(deployments.deployed_at at time zone 'UTC')::date`
  const inYear = sql`day between ${last} - ${daysInOverview - 1}::int and ${last}`
  const [row] = await db.read((queries) =>
    rowsOf<CardRow>(
      queries,
      sql`
        select ${deploymentColumns}, deployments.target,
          case when of_target is null
            then (select ${counted} from daily_deployments where user_id = of_user and ${inYear})
            else (
              select ${counted} from target_days where user_id = of_user and target = of_target and ${inYear}
            )
          end as days
        from ${onlyThe(which)}`,
    ),
  )
  if (row === undefined) return null
  const days = (row.days ?? []).map(([day, deployments]) => ({ day, deployments }))
  return { deployment: deploymentOf(row), target: row.target, days }
}

function onlyThe({ username, id }: Which): SQL {
  return sql`
    deployments join users on users.id = deployments.user_id
    -- By names of their own, since the walks for neighbours have these tables, too.
    cross join lateral (values (deployments.user_id, deployments.target)) own(of_user, of_target)
    where deployments.id = ${id} and username = ${username}`
}

/** Two walks of an index, of which one is done: a project's, or that of a person. */
function neighbour(id: number, side: 'before' | 'after'): SQL {
  const selected = sql`json_build_array(id, message, ${inMs(sql`deployed_at`)})`
  const userId = sql`of_user`
  return sql`
    case when of_target is null
      then (${besideOne({ userId, target: null }, id, side, selected)})
      else (${besideOne({ userId, target: sql`of_target` }, id, side, selected)})
    end`
}

function neighbourOf(row: NeighbourRow | null): Neighbour | null {
  if (row === null) return null
  const [id, message, deployedAtMs] = row
  return { id, message, deployedAt: new Date(deployedAtMs) }
}
