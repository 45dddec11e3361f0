import { type SQL, sql } from 'drizzle-orm'
import { type Queries, rowsOf } from '../database/db.ts'

/** So many deployments are counted again, of users chosen at random. */
const maxCounted = 20_000

const ofSample = sql`user_id = any(array(select user_id from sample))`

/** The rows of a table that are missing, too many, or not as `counted` has them. */
function differences(table: string, counted: SQL, keys: SQL, agree: SQL): SQL {
  return sql`
    select ${table} as "table", coalesce(counted.user_id, kept.user_id) as user_id
    from (${counted}) counted
    full join (select * from ${sql.identifier(table)} where ${ofSample}) kept using (user_id, ${keys})
    where (${agree}) is not true`
}

/**
 * The instant of the latest deployment of a part. If the clock was put back, the newest one may have an earlier instant,
 * and then the instants from the one to the other will do.
 */
const latest = sql`max(deployed_at) as latest, (array_agg(deployed_at order by id desc))[1] as newest`
const isLatest = sql`kept.deployed_at between counted.newest and counted.latest`
const number = sql`count(*) as number`
const isNumber = sql`kept.deployments = counted.number`

/** A table that disagrees with the deployments of a user, and in how many rows. */
export type Miscount = { readonly table: string; readonly username: string; readonly rows: number }

/**
 * Counts the deployments of some users again, and finds rows of tables that do not agree with them. All is read at one
 * instant, so this may run while others write.
 */
export async function findMiscounts(queries: Queries): Promise<readonly Miscount[]> {
  const all = sql.join(
    [
      differences(
        'latest_deployments',
        sql`select user_id, scope, ${latest} from own, unnest(scopes) as scope group by 1, 2`,
        sql`scope`,
        isLatest,
      ),
      differences(
        'targets',
        sql`select user_id, target, ${latest} from own where target is not null group by 1, 2`,
        sql`target`,
        isLatest,
      ),
      differences(
        'target_scopes',
        sql`
          select distinct user_id, scope, target from own, unnest(scopes) as scope
          where target is not null and scope <> ''`,
        sql`scope, target`,
        sql`kept.user_id = counted.user_id`,
      ),
      differences(
        'daily_deployments',
        sql`select user_id, utc_day(deployed_at) as day, ${number} from own group by 1, 2`,
        sql`day`,
        isNumber,
      ),
      differences(
        'target_days',
        sql`select user_id, target, utc_day(deployed_at) as day, ${number} from own where target is not null group by 1, 2, 3`,
        sql`target, day`,
        isNumber,
      ),
    ],
    sql` union all `,
  )
  return await rowsOf<Miscount>(
    queries,
    sql`
      with sample as materialized (
        select user_id from (
          select user_id, sum(sum(deployments)) over (order by random()) as counted
          from daily_deployments group by user_id having sum(deployments) <= ${maxCounted}::int
        ) shuffled where counted <= ${maxCounted}::int
      ),
      own as materialized (select id, user_id, scopes, target, deployed_at from deployments where ${ofSample})
      select "table", username, count(*)::int as rows
      from (${all}) different join users on users.id = user_id
      group by 1, 2 order by 2, 1`,
  )
}
