import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import { coalesce } from '../database/coalesce.ts'
import type { Db } from '../database/db.ts'
import { texts } from '../database/sql.ts'
import type { User } from '../domain/user.ts'
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

/** Who is signed in, and the hash that names their session. */
export type Visitor = { readonly viewer: User; readonly sessionHash: string }

/**
 * Makes the function that finds who a session's secret belongs to, or null where it is unknown or over, and
 * marks the session as seen; throws Unavailable.
 */
export function sessionReader(db: Db): (secret: string) => Promise<Visitor | null> {
  return coalesce((secrets) => findSessions(db, secrets), { inFlight: 2, batchSize: 500 })
}

async function findSessions(db: Db, secrets: readonly string[]): Promise<readonly (Visitor | null)[]> {
  const hashes = secrets.map(hashSecret)
  const rows = await db.run((queries) =>
    queries
      .select({
        hash: sessions.hash,
        user: { id: users.id, username: users.username, name: users.name },
        isUnseen: sql<boolean>`${sessions.lastSeenAt} < now() - interval '5 minutes'`,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(sql`${sessions.hash} = any(${texts(hashes)})`, notOver)),
  )
  const unseen = rows.filter(({ isUnseen }) => isUnseen).map(({ hash }) => hash)
  if (unseen.length > 0) await markSeen(db, unseen)
  const found = new Map(rows.map(({ hash, user }) => [hash, { viewer: user, sessionHash: hash }]))
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
