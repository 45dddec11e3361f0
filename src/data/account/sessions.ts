import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import { batch } from '../../database/batch.ts'
import { type Db, type Queries, texts } from '../../database/db.ts'
import { confirmedMinutes } from '../../domain/account/password.ts'
import type { User } from '../../domain/account/user.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { allRows, unwritten } from '../statements.ts'
import { isAccount, sessions, users } from './tables.ts'
import { hashSecret, newSecret } from './tokens.ts'
import { publicColumns } from './users.ts'

/** A session ends after this time, or once it has been unused for `idleDays`. */
export const sessionDays = 30
const idleDays = 14
/** A browser is remembered for this long after its user signed in. */
export const deviceDays = 365

type Session = typeof sessions.$inferSelect

/** Neither too old nor unused for too long. */
const notOver = and(
  gt(sessions.createdAt, sql`now() - make_interval(days => ${sessionDays})`),
  gt(sessions.lastSeenAt, sql`now() - make_interval(days => ${idleDays})`),
)

export type Visitor = {
  readonly user: User
  readonly sessionHash: string
  /** Whether they gave their password so recently that it is not asked for again. */
  readonly hasJustSignedIn: boolean
}

/** Makes the function that finds the user of a session and marks it as seen. */
export function sessionReader(db: Db): (secret: string) => Promise<Visitor | null> {
  const limits = { inFlight: 2, batchSize: 500 }
  return batch(db, 'sessions', (secrets: readonly string[]) => findSessions(db, secrets), limits)
}

async function findSessions(db: Db, secrets: readonly string[]): Promise<readonly (Visitor | null)[]> {
  const hashes = secrets.map(hashSecret)
  const read = (queries: Queries) =>
    queries
      .select({
        sessionHash: sessions.hash,
        user: publicColumns,
        hasJustSignedIn: sql<boolean>`${sessions.createdAt} > now() - make_interval(mins => ${confirmedMinutes})`,
        isUnseen: sql<boolean>`${sessions.lastSeenAt} < now() - interval '5 minutes'`,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(sql`${sessions.hash} = any(${texts(hashes)})`, notOver))
  const rows = await db.readPrimary(read, 'reserved')
  const unseen = rows.filter(({ isUnseen }) => isUnseen).map(({ sessionHash }) => sessionHash)
  if (unseen.length > 0) {
    const mark = sql`update sessions set last_seen_at = now() where hash in ${unwritten(sql`sessions`, unseen)}`
    await db.write(allRows(mark), 'reserved')
  }
  const found = new Map(rows.map(({ isUnseen: _, ...visitor }) => [visitor.sessionHash, visitor]))
  return hashes.map((hash) => found.get(hash) ?? null)
}

/** The open sessions of a user, the last seen first. */
export async function listSessions(db: Db, userId: number): Promise<readonly Session[]> {
  return await db.readPrimary((queries) =>
    queries
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), notOver))
      .orderBy(desc(sessions.lastSeenAt)),
  )
}

export async function endSession(db: Db, hash: string): Promise<void> {
  await db.write((queries) => queries.delete(sessions).where(eq(sessions.hash, hash)))
}

/** Ends the sessions of a user, but perhaps one, and gives their number. */
export async function endSessions(db: Db, userId: number, { but = '' } = {}): Promise<number> {
  const ended = await db.write((queries) =>
    queries
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), ne(sessions.hash, but)))
      .returning({ hash: sessions.hash }),
  )
  return ended.length
}

/** How many sessions and known browsers a user may have. */
const most = 100

type BrowserSecrets = { readonly session: string; readonly device: string }

type Browser = {
  readonly userAgent: string
  /** The secret of its device cookie, replaced if we do not know it. */
  readonly device: string | null
  /** The previous session, which ends. */
  readonly sessionHash: string | null
}

/**
 * Signs a user in with a browser, known as theirs from then on; null if the user was deleted. Deletes expired and
 * surplus sessions.
 */
export async function openSession(db: Db, userId: number, browser: Browser): Promise<BrowserSecrets | null> {
  const session = newSecret()
  const device = newSecret()
  const presented = browser.device === null ? null : hashSecret(browser.device)
  const [row] = await db.write(
    allRows<{ device: string }>(sql`
      with owner as (select id from users where id = ${userId} and ${isAccount} for key share),
      ended as (
        delete from sessions
        where hash = ${browser.sessionHash} or user_id = ${userId} and (not (${notOver}) or hash in (
          select hash from sessions where user_id = ${userId} order by created_at desc offset ${most - 1}))
      ),
      chosen as (
        select coalesce((select hash from devices where hash = ${presented} limit 1), ${hashSecret(device)}) as hash
      ),
      forgotten as (
        delete from devices
        where user_id = ${userId} and hash <> (select hash from chosen) and hash in (
          select hash from devices where user_id = ${userId} order by signed_in_at desc offset ${most - 1})
      ),
      known as (
        insert into devices (hash, user_id) select chosen.hash, owner.id from chosen, owner
        on conflict (hash, user_id) do update set signed_in_at = now()
      )
      insert into sessions (hash, user_id, device)
      select ${hashSecret(session)}, owner.id, ${browser.userAgent.slice(0, textBounds.userAgent)} from owner
      returning (select hash from chosen) as device`),
  )
  if (row === undefined) return null
  return { session, device: row.device === presented && browser.device !== null ? browser.device : device }
}
