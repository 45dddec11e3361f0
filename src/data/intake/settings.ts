import { and, asc, desc, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { type IntakeFilter, type IntakeKind, keptCalls, mostIntakes } from '../../domain/intake/intake.ts'
import { newSecret } from '../account/tokens.ts'
import { addToAccount } from '../account/users.ts'
import { changesAny } from '../statements.ts'
import { intakeCalls, intakes } from './schema.ts'

export type StoredIntake = typeof intakes.$inferSelect

export type ListedIntake = StoredIntake & {
  /** What its last call that told something was about; null if there is none. */
  readonly lastCall: Pick<StoredCall, 'about' | 'receivedAt'> | null
}

/** The intakes of a user, the oldest first. */
export async function listIntakes(db: Db, userId: number): Promise<readonly ListedIntake[]> {
  const { about, receivedAt } = intakeCalls
  return await db.readPrimary(async (queries) => {
    const last = queries
      .select({ about, receivedAt })
      .from(intakeCalls)
      .where(and(eq(intakeCalls.intakeId, intakes.id), ne(about, '')))
      .orderBy(desc(intakeCalls.id))
      .limit(1)
      .as('last')
    const rows = await queries
      .select({ intake: intakes, lastCall: { about: last.about, receivedAt: last.receivedAt } })
      .from(intakes)
      .leftJoinLateral(last, sql`true`)
      .where(eq(intakes.userId, userId))
      .orderBy(asc(intakes.createdAt))
    return rows.map(({ intake, lastCall }) => ({ ...intake, lastCall }))
  })
}

/** An intake of a user, and how many of its calls wait; null if there is none. */
export async function findIntake(
  db: Db,
  userId: number,
  id: string,
): Promise<{ readonly intake: StoredIntake; readonly waiting: number } | null> {
  const [found] = await db.readPrimary((queries) =>
    queries
      .select({ intake: intakes, waiting: queries.$count(intakeCalls, waitsAt(id)) })
      .from(intakes)
      .where(ofUser(userId, id)),
  )
  return found ?? null
}

export type StoredCall = Pick<
  typeof intakeCalls.$inferSelect,
  'about' | 'outcome' | 'reason' | 'deploymentId' | 'receivedAt'
>

/** The last calls of a user's intake that do not wait, the newest first. */
export async function listCalls(db: Db, userId: number, id: string): Promise<readonly StoredCall[]> {
  const { about, outcome, reason, deploymentId, receivedAt } = intakeCalls
  return await db.readPrimary((queries) =>
    queries
      .select({ about, outcome, reason, deploymentId, receivedAt })
      .from(intakeCalls)
      .where(and(eq(intakeCalls.userId, userId), eq(intakeCalls.intakeId, id), isNull(intakeCalls.waiting)))
      .orderBy(desc(intakeCalls.id))
      .limit(keptCalls),
  )
}

/** Adds an intake with a random id and secret. */
export async function addIntake(
  db: Db,
  userId: number,
  { kind, environments, workflows, transient }: IntakeFilter & { readonly kind: IntakeKind },
): Promise<
  | { readonly outcome: 'added'; readonly intake: StoredIntake }
  | { readonly outcome: 'full' }
  | { readonly outcome: 'gone' }
> {
  const id = crypto.getRandomValues(new Uint8Array(16)).toBase64({ alphabet: 'base64url', omitPadding: true })
  const values = { id, userId, kind, secret: newSecret(), environments, workflows, transient }
  return await addToAccount(db, userId, async (transaction) => {
    const found = await transaction.$count(intakes, eq(intakes.userId, userId))
    if (found >= mostIntakes) return { outcome: 'full' }
    const [intake] = await transaction.insert(intakes).values(values).returning()
    return intake === undefined ? { outcome: 'gone' } : { outcome: 'added', intake }
  })
}

/** Changes the filter of a user's intake, from its next call on. False if there is none. */
export async function filterIntake(
  db: Db,
  userId: number,
  id: string,
  { environments, workflows, transient }: IntakeFilter,
): Promise<boolean> {
  return await changesAny(db, (queries) =>
    queries
      .update(intakes)
      .set({ environments, workflows, transient })
      .where(ofUser(userId, id))
      .returning(ids),
  )
}

/** Pauses an intake, or lets it go on. Calls that wait go on waiting. False if there is none. */
export async function pauseIntake(db: Db, userId: number, id: string, isPaused: boolean): Promise<boolean> {
  return await changesAny(db, (queries) =>
    queries
      .update(intakes)
      .set({ pausedAt: isPaused ? sql`now()` : null })
      .where(ofUser(userId, id))
      .returning(ids),
  )
}

/** Deletes a user's intake with its calls. False if there is none. */
export async function deleteIntake(db: Db, userId: number, id: string): Promise<boolean> {
  return await changesAny(db, (queries) => queries.delete(intakes).where(ofUser(userId, id)).returning(ids))
}

const ids = { id: intakes.id }

function ofUser(userId: number, id: string): SQL | undefined {
  return and(eq(intakes.userId, userId), eq(intakes.id, id))
}

/** The condition for a call of an intake that waits. */
export function waitsAt(id: string): SQL | undefined {
  return and(eq(intakeCalls.intakeId, id), isNotNull(intakeCalls.waiting))
}
