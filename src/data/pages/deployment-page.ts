import { eq, type SQL, sql } from 'drizzle-orm'
import { type Db, inMs, nowInMs } from '../../database/db.ts'
import type { Neighbour } from '../../domain/deployment.ts'
import { type DeploymentDay, daysInOverview } from '../../domain/statistics/overview.ts'
import { type DeploymentRow, deploymentColumns, deploymentOf } from '../deployments.ts'
import { newestIn, oldestIn } from '../feed-pages.ts'
import { allRows } from '../statements.ts'
import { deployments } from '../tables.ts'

type Which = { readonly username: string; readonly id: number }

/** The name of the token that announced a deployment, for its poster alone; null if not known. */
export async function findAnnouncingToken(db: Db, id: number): Promise<string | null> {
  const [row] = await db.readPrimary((queries) =>
    queries.select({ token: deployments.token }).from(deployments).where(eq(deployments.id, id)),
  )
  return row?.token ?? null
}

type NeighbourRow = Omit<Neighbour, 'deployedAt'> & { readonly deployed_at_ms: number }

type NeighboursRow = DeploymentRow & {
  readonly target: string | null
  readonly before: NeighbourRow | null
  readonly after: NeighbourRow | null
  readonly now_ms: number
}

/** A deployment and its neighbours in its project, or without a link, of its poster; or null. */
export async function findWithNeighbours(db: Db, which: Which) {
  const statement = sql`
    select ${deploymentColumns}, deployments.target, ${nowInMs} as now_ms,
      ${neighbour(which.id, 'before')} as before, ${neighbour(which.id, 'after')} as after
    from ${onlyThe(which)}`
  const [row] = await db.read(allRows<NeighboursRow>(statement))
  if (row === undefined) return null
  return {
    deployment: deploymentOf(row),
    target: row.target,
    before: neighbourOf(row.before),
    after: neighbourOf(row.after),
    now: new Date(row.now_ms),
  }
}

type CardFactsRow = DeploymentRow & { readonly target: string | null; readonly days: DeploymentDay[] | null }

/** The facts on a deployment's picture, with the year of its project or poster; or null. */
export async function findCardFacts(db: Db, which: Which) {
  const counted = sql`json_agg(json_build_object('day', day - date '1970-01-01', 'deployments', deployments))`
  const last = sql`utc_day(deployments.deployed_at)`
  const inYear = sql`day between ${last} - ${daysInOverview - 1}::int and ${last}`
  const statement = sql`
    select ${deploymentColumns}, deployments.target,
      case when of_target is null
        then (select ${counted} from daily_deployments where user_id = of_user and ${inYear})
        else (select ${counted} from target_days where user_id = of_user and target = of_target and ${inYear})
      end as days
    from ${onlyThe(which)}`
  const [row] = await db.read(allRows<CardFactsRow>(statement))
  if (row === undefined) return null
  return { deployment: deploymentOf(row), target: row.target, days: row.days ?? [] }
}

function onlyThe({ username, id }: Which): SQL {
  return sql`
    deployments join users on users.id = deployments.user_id
    -- Under names of their own, because the walks for neighbours read these tables, too.
    cross join lateral (values (deployments.user_id, deployments.target)) own(of_user, of_target)
    where deployments.id = ${id} and username = ${username}`
}

/** Two walks of an index, of which Postgres runs one: that of a project, or that of a user. */
function neighbour(id: number, side: 'before' | 'after'): SQL {
  const selected = sql`json_build_object('id', id, 'message', message, 'deployed_at_ms', ${inMs(sql`deployed_at`)})`
  const userId = sql`of_user`
  const nextIn = side === 'before' ? newestIn : oldestIn
  return sql`
    case when of_target is null
      then (${nextIn({ userId }, 1, selected, id)})
      else (${nextIn({ userId, target: sql`of_target` }, 1, selected, id)})
    end`
}

function neighbourOf(row: NeighbourRow | null): Neighbour | null {
  return row && { id: row.id, message: row.message, deployedAt: new Date(row.deployed_at_ms) }
}
