import { and, eq, sql } from 'drizzle-orm'
import { isAccount, users } from '../../data/account/tables.ts'
import { newestIn } from '../../data/feed-pages.ts'
import { allRows, changesAny } from '../../data/statements.ts'
import { joinedProjects, targets } from '../../data/tables.ts'
import type { Db, Queries } from '../../database/db.ts'
import { scopesOf, targetOf } from '../../domain/target.ts'
import { type Joined, joiningOf, lastRead, refused } from './rules.ts'

/** A deployment as far as it says what it is about. */
export type ReadLink = {
  readonly id: number
  readonly url: string | null
  readonly project: string | null
  readonly target: string | null
}

/** The last deployments of a user with the targets for which they count, the newest first. */
export async function listLastRead(db: Db, userId: number): Promise<readonly ReadLink[]> {
  const columns = sql`id, url, project, target`
  return await db.readPrimary(
    allRows<ReadLink>(newestIn({ userId: sql`${userId}::bigint` }, lastRead, columns)),
  )
}

export type StoredJoined = Pick<typeof joinedProjects.$inferSelect, 'spelling' | 'target' | 'movedAt'>

/** What a user has joined, by its spelling. */
export async function listJoined(db: Db, userId: number): Promise<readonly StoredJoined[]> {
  return await db.readPrimary(joinedBy(userId))
}

/**
 * Joins a spelling, to which the user has deployed, into a target, and with it what was joined into the spelling.
 * `gone`: the user was deleted. Announcements count for the target at once; moveJoined moves what is there.
 */
export async function joinProject(db: Db, userId: number, asked: Joined) {
  const join = async (transaction: Queries) => {
    // Moving deployments, and adding history, take this lock too. Announcements do not wait for it.
    const isIt = and(eq(users.id, userId), isAccount)
    const account = transaction.select({ id: users.id }).from(users).where(isIt)
    const [locked] = await account.for('no key update')
    if (locked === undefined) return { outcome: 'gone' } as const
    const isOwn = and(eq(targets.userId, userId), eq(targets.target, asked.spelling))
    if ((await transaction.$count(targets, isOwn)) === 0)
      return refused('spelling', 'is no project that you have deployed to')
    const joining = joiningOf(asked, await joinedBy(userId)(transaction))
    if (joining.outcome === 'refused') return joining
    const { target } = joining
    const scopes = scopesOf(targetOf(target))
    await transaction.insert(joinedProjects).values({ userId, spelling: asked.spelling, target, scopes })
    await transaction
      .update(joinedProjects)
      .set({ target, scopes })
      .where(and(eq(joinedProjects.userId, userId), eq(joinedProjects.target, asked.spelling)))
    return joining
  }
  return await db.write((queries) => queries.transaction(join))
}

/** Lets announcements of a spelling count for it again. False if it is not joined. */
export async function separateProject(db: Db, userId: number, spelling: string): Promise<boolean> {
  const isIt = and(eq(joinedProjects.userId, userId), eq(joinedProjects.spelling, spelling))
  return await changesAny(db, (queries) =>
    queries.delete(joinedProjects).where(isIt).returning({ spelling: joinedProjects.spelling }),
  )
}

function joinedBy(userId: number) {
  const { spelling, target, movedAt } = joinedProjects
  return async (queries: Queries): Promise<readonly StoredJoined[]> =>
    await queries
      .select({ spelling, target, movedAt })
      .from(joinedProjects)
      .where(eq(joinedProjects.userId, userId))
      .orderBy(spelling)
}
