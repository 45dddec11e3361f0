import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { coalesce } from '../../database/coalesce.ts'
import type { Db } from '../../database/db.ts'
import { observed } from '../../database/observed.ts'
import { inMs, nowInMs, oneRowOf, texts } from '../../database/sql.ts'
import type { User } from '../../domain/account/user.ts'
import { sessions, users } from './schema.ts'
import { hashSecret } from './secret.ts'

export const sessionDays = 30
const idleDays = 14
const justMinutes = 15

export type Session = {
  readonly hash: string
  readonly device: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

/** The condition that a session is neither too old nor unused for too long. */
export const notOver = and(
  gt(sessions.createdAt, sql`now() - make_interval(days => ${sessionDays})`),
  gt(sessions.lastSeenAt, sql`now() - make_interval(days => ${idleDays})`),
)

/** Who is signed in, and the hash that names their session. */
export type Visitor = {
  readonly viewer: User
  readonly sessionHash: string
  /** Whether they gave their password so recently that they need not give it again. */
  readonly hasJustSignedIn: boolean
}

/**
 * Makes the function that finds whose session has this secret, and marks it as seen; null if there is none or
 * it is over. Throws Unavailable.
 */
export function sessionReader(db: Db): (secret: string) => Promise<Visitor | null> {
  const ask = observed<string, Visitor | null>(db, 'sessions', (secrets) => findSessions(db, secrets))
  return coalesce(ask, { inFlight: 2, batchSize: 500 })
}

async function findSessions(db: Db, secrets: readonly string[]): Promise<readonly (Visitor | null)[]> {
  const hashes = secrets.map(hashSecret)
  const rows = await db.run((queries) =>
    queries
      .select({
        hash: sessions.hash,
        user: { id: users.id, username: users.username, name: users.name },
        hasJustSignedIn: sql<boolean>`${sessions.createdAt} > now() - make_interval(mins => ${justMinutes})`,
        isUnseen: sql<boolean>`${sessions.lastSeenAt} < now() - interval '5 minutes'`,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(sql`${sessions.hash} = any(${texts(hashes)})`, notOver)),
  )
  const unseen = rows.filter(({ isUnseen }) => isUnseen).map(({ hash }) => hash)
  if (unseen.length > 0) await markSeen(db, unseen)
  const found = new Map(
    rows.map(({ hash, user, hasJustSignedIn }) => [
      hash,
      { viewer: user, sessionHash: hash, hasJustSignedIn },
    ]),
  )
  return hashes.map((hash) => found.get(hash) ?? null)
}

async function markSeen(db: Db, hashes: readonly string[]): Promise<void> {
  await db.run((queries) =>
    queries
      .update(sessions)
      .set({ lastSeenAt: sql`now()` })
      .where(sql`${sessions.hash} = any(${texts(hashes)})`),
  )
}

/** The open sessions of a user, the last seen first, and the database's time. */
export async function listSessions(
  db: Db,
  userId: number,
): Promise<{ sessions: readonly Session[]; now: Date }> {
  const { found, now_ms } = await db.run((queries) =>
    oneRowOf<{ found: readonly SessionRow[]; now_ms: number }>(
      queries,
      sql`
        select (
          select coalesce(json_agg(s), '[]') from (
            select hash, device, ${inMs(sql`created_at`)} as created_at_ms, ${inMs(sql`last_seen_at`)} as last_seen_at_ms
            from sessions where user_id = ${userId} and ${notOver} order by last_seen_at desc
          ) s
        ) as found, ${nowInMs} as now_ms`,
    ),
  )
  const listed = found.map(({ hash, device, created_at_ms, last_seen_at_ms }) => ({
    hash,
    device,
    createdAt: new Date(created_at_ms),
    lastSeenAt: new Date(last_seen_at_ms),
  }))
  return { sessions: listed, now: new Date(now_ms) }
}

type SessionRow = { hash: string; device: string; created_at_ms: number; last_seen_at_ms: number }

export async function endSession(db: Db, hash: string): Promise<void> {
  await db.run((queries) => queries.delete(sessions).where(eq(sessions.hash, hash)))
}

/** Ends every session of a user but one. */
export async function endOtherSessions(db: Db, userId: number, keptHash: string): Promise<void> {
  await db.run((queries) =>
    queries.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.hash, keptHash))),
  )
}
