import { sql } from 'drizzle-orm'
import { batch } from '../../database/batch.ts'
import { type Db, inMs, nowInMs } from '../../database/db.ts'
import type { LiveRelease } from '../../domain/environment/board.ts'
import type { OwnOrder } from '../../domain/environment/stages.ts'
import { newestOfEachEnvironment } from '../current.ts'
import { allRows } from '../statements.ts'
import { asked, userId } from './asked.ts'
import type { LatestAnswer, LatestQuestion } from './latest.ts'

/** An answer with what is live in each environment of a target, the newest first. `latest` is the first of these. */
export type LiveAnswer = LatestAnswer & { readonly live: readonly LiveRelease[]; readonly order: OwnOrder }

type Found = Omit<LiveRelease, 'deployedAt'> & { readonly id: number; readonly at_ms: number }

type Row = {
  readonly n: number
  readonly user_id: number | null
  readonly now_ms: number
  readonly found: readonly Found[] | null
  readonly order: OwnOrder
}

/** Makes the function that finds what is live in a target, whose scope is given (docs/decisions.md#environments). */
export function liveReader(db: Db): (question: LatestQuestion) => Promise<LiveAnswer> {
  // Small batches, because each question needs a probe for each environment.
  return batch(db, 'badges', (questions) => readLive(db, questions), { inFlight: 2, batchSize: 32 })
}

async function readLive(db: Db, questions: readonly LatestQuestion[]): Promise<readonly LiveAnswer[]> {
  const statement = sql`
    select q.n, ${userId} as user_id, to_jsonb(u.environment_order) as order, ${nowInMs} as now_ms, live.found
    from ${asked(questions)}
    left join lateral (
      select json_agg(d) as found
      from (${newestOfEachEnvironment({ userId, target: sql`q.scope` })}) newest
      cross join lateral (
        select id, environment, version, commit, ${inMs(sql`deployed_at`)} as at_ms
        from deployments where id = newest.id limit 1
      ) d
    ) live on true`
  const rows = await db.read(allRows<Row>(statement), 'reserved')
  const answers: LiveAnswer[] = []
  for (const { n, user_id, order, now_ms, found } of rows) {
    const newestFirst = (found ?? []).toSorted((one, other) => other.id - one.id)
    const live = newestFirst.map(({ at_ms, ...one }) => ({ ...one, deployedAt: new Date(at_ms) }))
    const latest = live[0]?.deployedAt ?? null
    answers[n - 1] = { isKnown: user_id !== null, latest, live, order, now: new Date(now_ms) }
  }
  return answers
}
