import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import type { User } from '../domain/user.ts'
import type { Db } from './database.ts'
import { sessions, users } from './schema.ts'
import { hashSecret } from './secret.ts'

export const sessionDays = 30
const idleDays = 14

export type Session = {
  readonly hash: string
  readonly device: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

const notOver = and(
  gt(sessions.createdAt, sql`now() - make_interval(days => ${sessionDays})`),
  gt(sessions.lastSeenAt, sql`now() - make_interval(days => ${idleDays})`),
)

/**
 * Opens a session of a user and returns its secret, of which only the hash is stored. `device` is the
 * browser's own description. The user's sessions that are over go at the same time.
 */
export async function openSession(db: Db, userId: number, device: string): Promise<string> {
  const secret = crypto
    .getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: 'base64url', omitPadding: true })
  await db.run((queries) =>
    queries.transaction(async (transaction) => {
      await transaction.delete(sessions).where(sql`${eq(sessions.userId, userId)} and not (${notOver})`)
      await transaction
        .insert(sessions)
        .values({ hash: hashSecret(secret), userId, device: device.slice(0, 255) })
    }),
  )
  return secret
}

/** Who a session's secret belongs to, or null where it is unknown or over. Marks the session as seen. */
export async function findSession(db: Db, secret: string): Promise<{ hash: string; user: User } | null> {
  const hash = hashSecret(secret)
  const [row] = await db.run((queries) =>
    queries
      .select({
        hash: sessions.hash,
        user: { id: users.id, username: users.username, name: users.name },
        isUnseen: sql<boolean>`${sessions.lastSeenAt} < now() - interval '5 minutes'`,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.hash, hash), notOver)),
  )
  if (row === undefined) return null
  if (row.isUnseen) await markSeen(db, hash)
  return { hash: row.hash, user: row.user }
}

async function markSeen(db: Db, hash: string): Promise<void> {
  await db.run((queries) =>
    queries.update(sessions).set({ lastSeenAt: sql`now()` }).where(eq(sessions.hash, hash)),
  )
}

/** The sessions of a user that are not over, the one seen last first; and the database's time. */
export async function listSessions(
  db: Db,
  userId: number,
): Promise<{ sessions: readonly Session[]; now: Date }> {
  const rows = await db.run((queries) =>
    queries
      .select({
        hash: sessions.hash,
        device: sessions.device,
        createdAt: sessions.createdAt,
        lastSeenAt: sessions.lastSeenAt,
        now: sql`now()`.mapWith(sessions.createdAt),
      })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), notOver))
      .orderBy(desc(sessions.lastSeenAt)),
  )
  return { sessions: rows.map(({ now: _, ...session }) => session), now: rows[0]?.now ?? new Date() }
}

/** Ends one session. */
export async function endSession(db: Db, hash: string): Promise<void> {
  await db.run((queries) => queries.delete(sessions).where(eq(sessions.hash, hash)))
}

/** Ends every session of a user but one. */
export async function endOtherSessions(db: Db, userId: number, keptHash: string): Promise<void> {
  await db.run((queries) =>
    queries.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.hash, keptHash))),
  )
}
