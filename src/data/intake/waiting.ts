import { sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import type { Announcement } from '../../domain/announcement.ts'
import { type CallOutcome, keptCalls } from '../../domain/intake/intake.ts'
import { recorder } from '../recording.ts'
import { allRows } from '../statements.ts'

type Row = {
  readonly id: number
  readonly intake_id: string
  readonly key: string
  readonly waiting: string
}

/** How many are recorded at once: announcements of others wait for them. */
const atOnce = 20

export type IntakeOptions = {
  /** How many announcements a user may make in a rolling minute; 0 for any number. */
  readonly ratePerMinute: number
  readonly onAnnounced?: ((outcome: 'created' | 'replayed') => void) | undefined
}

/**
 * Makes the function that announces the waiting calls of intakes: those of each user in the order in which they
 * came, until the user's rate has no room. Any number of processes may run it at once, and may end while they run
 * it, because the key of a call keeps it from being announced twice. Throws Unavailable.
 */
export function waitingRecorder(db: Db, { ratePerMinute, onAnnounced }: IntakeOptions): () => Promise<void> {
  const record = recorder(db, ratePerMinute)

  return async () => {
    for (let due = await readDue(db, ratePerMinute); due.length > 0; due = await readDue(db, ratePerMinute)) {
      const recorded = await Promise.all(due.map(recordOne))
      const done = recorded.filter((one) => one !== null)
      if (done.length > 0) await settle(db, done)
      if (done.length < due.length) return
    }
  }

  /** Null if the user has no room after all. */
  async function recordOne({ id, intake_id: intakeId, key, waiting }: Row): Promise<Done | null> {
    const announcement = JSON.parse(waiting) as Announcement
    const result = await record({ intakeId, announcement, idempotencyKey: key })
    switch (result.outcome) {
      case 'rate_limited':
        return null
      case 'unauthorized':
      case 'forbidden':
        return { id, outcome: 'refused', deployment_id: null }
      case 'idempotency_key_reused':
        return { id, outcome: 'known', deployment_id: result.owner.id }
      default: {
        onAnnounced?.(result.outcome)
        const outcome = result.outcome === 'created' ? 'announced' : 'known'
        return { id, outcome, deployment_id: result.recorded.id }
      }
    }
  }
}

/** The first waiting calls of intakes that are not paused, of users whose rate has room. */
async function readDue(db: Db, ratePerMinute: number): Promise<readonly Row[]> {
  return await db.run(
    allRows<Row>(sql`
      -- One probe for each user, however much waits.
      with recursive u as (
        (select user_id from intake_calls where waiting is not null order by user_id limit 1)
        union all
        select (
          select user_id from intake_calls where waiting is not null and user_id > u.user_id
          order by user_id limit 1
        ) from u where u.user_id is not null
      )
      select w.id, w.intake_id, w.key, w.waiting from u
      cross join lateral posts_of_last_minute(u.user_id, ${ratePerMinute}, statement_timestamp()) q
      cross join lateral (
        select c.id, c.intake_id, c.key, c.waiting from intake_calls c
        join intakes i on i.id = c.intake_id and i.paused_at is null
        where c.user_id = u.user_id and c.waiting is not null
        order by c.id
        limit case when ${ratePerMinute}::int > 0 then least(${atOnce}::int, greatest(${ratePerMinute}::int - q.posted, 0)) else ${atOnce}::int end
      ) w
      order by w.id limit ${atOnce}::int`),
    'shared',
    'nothing',
  )
}

type Done = { readonly id: number; readonly outcome: CallOutcome; readonly deployment_id: number | null }

/** Notes the outcomes of calls that waited, and forgets the oldest calls beyond those that are kept. */
async function settle(db: Db, done: readonly Done[]): Promise<void> {
  await db.run(
    allRows(sql`
      with settled as (
        update intake_calls c
        set outcome = d.outcome, deployment_id = d.deployment_id, waiting = null, key = null
        from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as d(id bigint, outcome text, deployment_id bigint)
        where c.id = d.id and c.waiting is not null
        returning c.intake_id
      )
      delete from intake_calls where id in (
        select old.id
        from (select intake_id, count(*) as added from settled group by intake_id) s
        cross join lateral (
          select id from intake_calls o
          where o.intake_id = s.intake_id and o.waiting is null
          order by o.id desc offset greatest(${keptCalls}::int - s.added, 0)
        ) old
      )`),
    'shared',
    'nothing',
  )
}
