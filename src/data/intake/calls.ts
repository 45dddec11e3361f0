import { and, count, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import type { Announcement } from '../../domain/announcement.ts'
import { type CallOutcome, keptCalls, mostWaiting } from '../../domain/intake/intake.ts'
import { isAccount, users } from '../account/schema.ts'
import { allRows } from '../statements.ts'
import { intakeCalls, intakes } from './schema.ts'
import type { StoredIntake } from './settings.ts'

/** An intake that a forge calls, and whether it has waiting calls. */
export type CalledIntake = StoredIntake & { readonly hasWaiting: boolean }

/** The intake with this id; null if there is none, or its account is deleted. Throws Unavailable. */
export async function findCalledIntake(db: Db, id: string): Promise<CalledIntake | null> {
  const [found] = await db.run(
    (queries) =>
      queries
        .select({
          intake: intakes,
          hasWaiting: sql<boolean>`exists (
            select from ${intakeCalls} where intake_id = ${id} and waiting is not null
          )`,
        })
        .from(intakes)
        .innerJoin(users, eq(users.id, intakes.userId))
        .where(and(eq(intakes.id, id), isAccount)),
    'shared',
    'nothing',
  )
  return found === undefined ? null : { ...found.intake, hasWaiting: found.hasWaiting }
}

type Call = {
  readonly about: string
  readonly outcome: Exclude<CallOutcome, 'waiting'>
  readonly reason?: string | null
  readonly deploymentId?: number | null
}

/**
 * Keeps the outcome of a call, and forgets the oldest calls beyond `keptCalls`. Of refused calls, one a minute is
 * kept. Throws Unavailable.
 */
export async function keepCall(
  db: Db,
  { id, userId }: Pick<StoredIntake, 'id' | 'userId'>,
  { about, outcome, reason = null, deploymentId = null }: Call,
): Promise<void> {
  await db.run(
    allRows(sql`
      with kept as (
        insert into intake_calls (user_id, intake_id, about, outcome, reason, deployment_id)
        select i.user_id, i.id, ${about}, ${outcome}, ${reason}::text, ${deploymentId}::bigint
        from intakes i where i.id = ${id} and i.user_id = ${userId}::bigint and not (
          ${outcome} = 'refused' and exists (
            select from intake_calls where intake_id = ${id} and outcome = 'refused'
              and received_at > statement_timestamp() - interval '1 minute'
          )
        )
        returning 1
      )
      delete from intake_calls where id in (
        select id from intake_calls where intake_id = ${id} and waiting is null order by intake_id desc, id desc
        offset ${keptCalls}::int - (select count(*) from kept)
      )`),
    'shared',
    'nothing',
  )
}

/** A call that is announced when the rate of its user has room again. */
type Waiting = { readonly about: string; readonly key: string; readonly announcement: Announcement }

/**
 * Lets a call wait. A second call with the key of a waiting one is `kept` too, but not stored. `full`:
 * `mostWaiting` calls wait already; `gone`: the intake was deleted. Throws Unavailable.
 */
export async function letWait(
  db: Db,
  { id, userId }: Pick<StoredIntake, 'id' | 'userId'>,
  { about, key, announcement }: Waiting,
): Promise<'kept' | 'full' | 'gone'> {
  return await db.run(
    (queries) =>
      queries.transaction(async (transaction) => {
        const intake = transaction.select({ id: intakes.id }).from(intakes).where(eq(intakes.id, id))
        if ((await intake.for('no key update')).length === 0) return 'gone'
        const isWaiting = and(eq(intakeCalls.intakeId, id), isNotNull(intakeCalls.waiting))
        const [same] = await transaction
          .select({ id: intakeCalls.id })
          .from(intakeCalls)
          .where(and(isWaiting, eq(intakeCalls.key, key)))
        if (same !== undefined) return 'kept'
        const [found] = await transaction.select({ count: count() }).from(intakeCalls).where(isWaiting)
        if ((found?.count ?? 0) >= mostWaiting) return 'full'
        const waiting = JSON.stringify(announcement)
        await transaction
          .insert(intakeCalls)
          .values({ userId, intakeId: id, about, outcome: 'waiting', waiting, key })
        return 'kept'
      }),
    'shared',
    'nothing',
  )
}
