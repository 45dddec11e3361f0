import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { isAccount, users } from '../../data/account/tables.ts'
import { recorder } from '../../data/recording.ts'
import { allRows } from '../../data/statements.ts'
import { type Db, type Queries, rowsOf } from '../../database/db.ts'
import type { Announcement } from '../../domain/announcement/announcement.ts'
import { type CallOutcome, keptCalls, maxWaiting } from './rules.ts'
import { type StoredIntake, waitsAt } from './store.ts'
import { intakeCalls, intakes } from './tables.ts'

export type CalledIntake = StoredIntake & { readonly hasWaiting: boolean }

/** The intake with this id; null if there is none, or its account is deleted. */
export async function findCalledIntake(db: Db, id: string): Promise<CalledIntake | null> {
  const hasWaiting = sql<boolean>`exists (select from ${intakeCalls} where intake_id = ${id} and waiting is not null)`
  const read = (queries: Queries) =>
    queries
      .select({ ...getTableColumns(intakes), hasWaiting })
      .from(intakes)
      .innerJoin(users, eq(users.id, intakes.userId))
      .where(and(eq(intakes.id, id), isAccount))
  const [found] = await db.readPrimary(read)
  return found ?? null
}

type Call = {
  readonly about: string
  readonly outcome: Exclude<CallOutcome, 'waiting'>
  readonly reason?: string | null
  readonly deploymentId?: number | null
  /** Kept if the same event may come again and again (repeated-events.ts). */
  readonly key?: string | null
}

/** Keeps the outcome of a call, but at most one refusal a minute, and one with a key once. */
export async function keepCall(
  db: Db,
  { id, userId }: Pick<StoredIntake, 'id' | 'userId'>,
  { about, outcome, reason = null, deploymentId = null, key = null }: Call,
): Promise<void> {
  const statement = sql`
    with kept as (
      insert into intake_calls (user_id, intake_id, about, outcome, reason, deployment_id, key)
      select i.user_id, i.id, ${about}, ${outcome}, ${reason}::text, ${deploymentId}::bigint, ${key}::text
      from intakes i where i.id = ${id} and i.user_id = ${userId}::bigint and not (
        ${outcome} = 'refused' and exists (
          select from intake_calls where intake_id = ${id} and outcome = 'refused'
            and received_at > statement_timestamp() - interval '1 minute'
        )
      ) and not exists (
        select from intake_calls where intake_id = ${id} and key = ${key}::text and outcome = ${outcome}
      )
      returning 1
    )
    delete from intake_calls where id in (
      select id from intake_calls where intake_id = ${id} and waiting is null order by intake_id desc, id desc
      offset ${keptCalls}::int - (select count(*) from kept)
    )`
  await db.write(allRows(statement))
}

type Waiting = { readonly about: string; readonly key: string; readonly announcement: Announcement }

/** Lets a call wait; one with the key of a waiting call is `kept` already. */
export async function letWait(
  db: Db,
  { id, userId }: Pick<StoredIntake, 'id' | 'userId'>,
  { about, key, announcement }: Waiting,
): Promise<'kept' | 'full' | 'gone'> {
  // Calls of one intake are counted one after another.
  const lock = sql`select from intakes where id = ${id} for no key update`
  const keep = sql`
    with state as (
      select id, user_id, exists (
          select from intake_calls where intake_id = ${id} and key = ${key} and waiting is not null
        ) as is_kept,
        (select count(*) from intake_calls where ${waitsAt(id)}) >= ${maxWaiting}::int as is_full
      from intakes where id = ${id} and user_id = ${userId}::bigint
    ),
    added as (
      insert into intake_calls (user_id, intake_id, about, outcome, key, waiting)
      select user_id, id, ${about}, 'waiting', ${key}, ${JSON.stringify(announcement)} from state
      where not is_kept and not is_full
    )
    select case when is_full and not is_kept then 'full' else 'kept' end as outcome from state`
  db.requireSpace?.()
  const [, [found]] = await db.write((queries) =>
    // Sent together, because a burst of calls waits for the lock.
    queries.transaction((transaction) =>
      Promise.all([rowsOf(transaction, lock), rowsOf<{ outcome: 'kept' | 'full' }>(transaction, keep)]),
    ),
  )
  return found?.outcome ?? 'gone'
}

type WaitingRow = { id: number; intake_id: string; key: string; waiting: string }

/** Recorded at once, while announcements of others wait for them. */
const atOnce = 20

type IntakeOptions = {
  /** In a rolling minute; 0 for any number. */
  readonly ratePerMinute: number
  readonly onAnnounced?: ((outcome: 'created' | 'replayed') => void) | undefined
}

/**
 * Makes the function that announces waiting calls in their order while their user's rate has room. Any number of
 * processes may run it, because a call that is announced waits no more.
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

  /** Null if the rate has no room after all. */
  async function recordOne({ id, intake_id: intakeId, key, waiting }: WaitingRow): Promise<Done | null> {
    const announcement = JSON.parse(waiting) as Announcement
    const result = await record({ intakeId, waitingId: id, announcement, idempotencyKey: key })
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
async function readDue(db: Db, ratePerMinute: number): Promise<readonly WaitingRow[]> {
  const statement = sql`
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
    order by w.id limit ${atOnce}::int`
  return await db.readPrimary(allRows<WaitingRow>(statement))
}

type Done = { readonly id: number; readonly outcome: CallOutcome; readonly deployment_id: number | null }

/** Those that were announced are settled already (announce.sql). */
async function settle(db: Db, done: readonly Done[]): Promise<void> {
  const statement = sql`
    with done as (
      select c.intake_id, c.waiting is not null as is_left, d.*
      from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as d(id bigint, outcome text, deployment_id bigint)
      join intake_calls c on c.id = d.id
    ),
    settled as (
      update intake_calls c set outcome = d.outcome, deployment_id = d.deployment_id, waiting = null
      from done d where c.id = d.id and c.waiting is not null
    )
    delete from intake_calls where id in (
      select old.id
      from (select intake_id, count(*) filter (where is_left) as added from done group by intake_id) s
      cross join lateral (
        select id from intake_calls o
        where o.intake_id = s.intake_id and o.waiting is null
        order by o.id desc offset greatest(${keptCalls}::int - s.added, 0)
      ) old
    )`
  await db.write(allRows(statement))
}
