import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { type Added, addOwned, changeOwned, isOwned, type Owned } from '../../data/account/owned.ts'
import { newSecret } from '../../data/account/tokens.ts'
import type { Db } from '../../database/db.ts'
import { keptCalls, maxIntakes, type NewIntake } from './rules.ts'
import { intakeCalls, intakes } from './tables.ts'

export type StoredIntake = typeof intakes.$inferSelect

type OwnIntake = Owned<string>

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
    const lastCall = { about: last.about, receivedAt: last.receivedAt }
    return await queries
      .select({ ...getTableColumns(intakes), lastCall })
      .from(intakes)
      .leftJoinLateral(last, sql`true`)
      .where(eq(intakes.userId, userId))
      .orderBy(asc(intakes.createdAt))
  })
}

/** An intake of a user, and how many of its calls wait; null if there is none. */
export async function findIntake(db: Db, of: OwnIntake) {
  const [found] = await db.readPrimary((queries) =>
    queries
      .select({ intake: intakes, waiting: queries.$count(intakeCalls, waitsAt(of.id)) })
      .from(intakes)
      .where(isOwned(intakes, of)),
  )
  return found ?? null
}

export type StoredCall = Pick<
  typeof intakeCalls.$inferSelect,
  'about' | 'outcome' | 'reason' | 'deploymentId' | 'receivedAt'
>

/** The last calls of a user's intake that do not wait, the newest first. */
export async function listCalls(db: Db, { userId, id }: OwnIntake): Promise<readonly StoredCall[]> {
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

export async function addIntake(db: Db, userId: number, intake: NewIntake): Promise<Added<StoredIntake>> {
  const id = crypto.getRandomValues(new Uint8Array(16)).toBase64({ alphabet: 'base64url', omitPadding: true })
  return await addOwned(db, intakes, { ...intake, id, userId, secret: newSecret() }, { max: maxIntakes })
}

/** Pauses an intake, or lets it go on. Calls that wait go on waiting. False if there is none. */
export async function pauseIntake(db: Db, of: OwnIntake, isPaused: boolean): Promise<boolean> {
  return await changeOwned(db, intakes, of, { pausedAt: isPaused ? sql`now()` : null })
}

/** The condition for a call of an intake that waits. */
export function waitsAt(id: string): SQL | undefined {
  return and(eq(intakeCalls.intakeId, id), isNotNull(intakeCalls.waiting))
}
