import { sql } from 'drizzle-orm'
import { batch } from '../../database/batch.ts'
import { type Db, nowInMs } from '../../database/db.ts'
import type { User } from '../../domain/account/user.ts'
import type { DeploymentDay } from '../../domain/statistics/overview.ts'
import type { LatestQuestion } from '../badges/latest.ts'
import { coveredBy } from '../feed-pages.ts'
import { allRows } from '../statements.ts'
import { type DaysRow, daysFrom, isInYear, milliseconds } from './profiles.ts'

type YearOfUser = {
  readonly user: Pick<User, 'username' | 'name'> | null
  readonly days: readonly DeploymentDay[]
  readonly latest: Date | null
  readonly now: Date
}

type Row = DaysRow & {
  readonly n: number
  readonly username: string | null
  readonly name: string | null
  readonly latest_ms: number | null
  readonly now_ms: number
}

/** Makes the function that reads a year. */
export function yearReader(db: Db): (question: LatestQuestion) => Promise<YearOfUser> {
  // Small batches, because each question may walk the days of 200 targets.
  const limits = { inFlight: 2, batchSize: 16 }
  return batch(db, 'years', (questions: readonly LatestQuestion[]) => readYears(db, questions), limits)
}

async function readYears(db: Db, questions: readonly LatestQuestion[]): Promise<readonly YearOfUser[]> {
  const statement = sql`
    select q.n, u.username, u.name, year.days, year.counts, ${nowInMs} as now_ms,
      (select ${milliseconds} from latest_deployments l where l.user_id = u.id and l.scope = q.scope) as latest_ms
    from rows from (json_to_recordset(${JSON.stringify(questions)}::json) as (username text, scope text))
      with ordinality as q(username, scope, n)
    left join lateral (select id, username, name from users where username = q.username limit 1) u on true
    left join lateral (
      select json_agg(day - date '1970-01-01' order by day) as days, json_agg(deployments order by day) as counts from (
        select day, deployments from (
          select day, deployments from daily_deployments where user_id = u.id and ${isInYear} order by user_id, day
        ) everything
        where q.scope = ''
        union all
        select day, sum(deployments) as deployments from (${coveredBy(sql`u.id`, sql`q.scope`)}) covered
        cross join lateral (
          select day, deployments from target_days
          where user_id = u.id and target = covered.target and ${isInYear} order by user_id, target, day
        ) d
        where q.scope <> '' group by day
      ) d
    ) year on true`
  const rows = await db.read(allRows<Row>(statement))
  const years: YearOfUser[] = []
  for (const row of rows) {
    const { username, name, latest_ms } = row
    years[row.n - 1] = {
      user: username === null ? null : { username, name: name ?? username },
      days: daysFrom(row),
      latest: latest_ms === null ? null : new Date(latest_ms),
      now: new Date(row.now_ms),
    }
  }
  return years
}
