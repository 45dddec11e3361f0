import { and, eq, gte, type SQL, sql, TransactionRollbackError } from 'drizzle-orm'
import { batch } from '../../database/batch.ts'
import { chunked, chunkSize, type Db, inMs, type Queries, texts } from '../../database/db.ts'
import { isDuplicate } from '../../database/errors.ts'
import type { User } from '../../domain/account/user.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { type DeploymentRow, deploymentColumns, deploymentOf } from '../deployments.ts'
import { oldestOf } from '../feed-pages.ts'
import { allRows } from '../statements.ts'
import { isAccount, retiredUsernames, users } from './schema.ts'

export const publicColumns = { id: users.id, username: users.username, name: users.name }

/**
 * Creates an account; null if the username is taken or retired. Retired names are read after the insert, because one
 * may be added while the index makes the insert wait.
 */
export async function createUser(
  db: Db,
  account: { username: string; name: string; passwordHash: string },
): Promise<User | null> {
  try {
    return await db.write((queries) =>
      queries.transaction(async (transaction) => {
        const [user] = await transaction
          .insert(users)
          .values({ ...account, showsChecklist: true })
          .returning(publicColumns)
        const [retired] = await transaction
          .select()
          .from(retiredUsernames)
          .where(eq(retiredUsernames.username, account.username))
        if (retired !== undefined) transaction.rollback()
        return user ?? null
      }),
    )
  } catch (error) {
    if (isDuplicate(error) || error instanceof TransactionRollbackError) return null
    throw error
  }
}

/** Makes the function that finds the user whom a proxy signs in. */
export function namedUserReader(db: Db): (username: string) => Promise<User | null> {
  const findNamed = async (usernames: readonly string[]) => {
    const isAsked = sql`${users.username} = any(${texts(usernames)})`
    const read = (queries: Queries) => queries.select(publicColumns).from(users).where(isAsked)
    const found = new Map((await db.readPrimary(read, 'reserved')).map((user) => [user.username, user]))
    return usernames.map((username) => found.get(username) ?? null)
  }
  return batch(db, 'named_users', findNamed, { inFlight: 2, batchSize: 500 })
}

/**
 * Runs a transaction that adds something to an account while it is locked, so that concurrent calls take turns. `gone`:
 * the user was deleted in the meantime.
 */
export async function addToAccount<Result>(
  db: Db,
  userId: number,
  add: (transaction: Queries) => Promise<Result>,
): Promise<Result | { readonly outcome: 'gone' }> {
  const isIt = and(eq(users.id, userId), isAccount)
  const addLocked = async (transaction: Queries) => {
    const account = transaction.select({ id: users.id }).from(users).where(isIt)
    // Not `for update`: that would wait for each transaction that inserts a row of this user.
    const [locked] = await account.for('no key update')
    return locked === undefined ? ({ outcome: 'gone' } as const) : await add(transaction)
  }
  return await db.write((queries) => queries.transaction(addLocked))
}

/** Whether this username belonged to a deleted account. */
export async function isRetired(db: Db, username: string): Promise<boolean> {
  const isIt = eq(retiredUsernames.username, username)
  return (await db.read(async (queries) => await queries.$count(retiredUsernames, isIt))) > 0
}

/** The user with this username and when they joined; null if there is none. */
export async function findUser(db: Db, username: string): Promise<{ user: User; since: Date } | null> {
  const columns = { user: publicColumns, since: users.createdAt }
  const isIt = eq(users.username, username)
  const [row] = await db.read((queries) => queries.select(columns).from(users).where(isIt))
  return row ?? null
}

const mostSuggested = 5
/** The database may sort other usernames between those that begin alike, so more are read. */
const mostCompared = 25

/** The first users whose username begins with a text. */
export async function findPeople(db: Db, beginning: string): Promise<User[]> {
  const rows = await db.read((queries) =>
    queries
      .select(publicColumns)
      .from(users)
      .where(gte(users.username, beginning))
      .orderBy(users.username)
      .limit(mostCompared),
  )
  return rows.filter(({ username }) => username.startsWith(beginning)).slice(0, mostSuggested)
}

/** When the oldest account was created; null if there is none. */
export async function firstAccountAt(db: Db): Promise<Date | null> {
  const [first] = await db.read((queries) =>
    queries.select({ since: users.createdAt }).from(users).orderBy(users.id).limit(1),
  )
  return first?.since ?? null
}

/** Changes the display name of a user. */
export async function renameUser(db: Db, userId: number, name: string): Promise<void> {
  await db.write((queries) => queries.update(users).set({ name }).where(eq(users.id, userId)))
}

/** As the operator sees it. */
export type Account = {
  readonly username: string
  readonly name: string
  readonly since: Date
  readonly deployments: number
  /** When it was last used by a token, publisher or intake, or last announced; null: never. */
  readonly calledAt: Date | null
  /** In a session that is still open; null if there is none. */
  readonly seenAt: Date | null
}

type AccountRow = Pick<Account, 'username' | 'name' | 'deployments'> & {
  readonly since_ms: number
  readonly called_ms: number | null
  readonly seen_ms: number | null
}

/** Every account, by username and in chunks, each read at its own instant. */
export async function* listAccounts(db: Db): AsyncGenerator<readonly Account[], void> {
  const chunks = chunked<AccountRow, string>(
    '',
    ({ username }) => username,
    (after) => db.readPrimary(allRows<AccountRow>(accountsAfter(after))),
  )
  const instant = (ms: number | null) => (ms === null ? null : new Date(ms))
  for await (const rows of chunks) {
    yield rows.map(({ since_ms, called_ms, seen_ms, ...account }) => ({
      ...account,
      since: new Date(since_ms),
      calledAt: instant(called_ms),
      seenAt: instant(seen_ms),
    }))
  }
}

function accountsAfter(username: string): SQL {
  return sql`
    select username, name, ${inMs(sql`created_at`)} as since_ms,
      (select coalesce(sum(deployments), 0) from daily_deployments where user_id = users.id) as deployments,
      -- Tokens that were used may be gone: those that were ended, and those of publishers after some minutes.
      ${inMs(sql`greatest(
        (select max(last_used_at) from tokens where user_id = users.id),
        (select max(last_used_at) from publishers where user_id = users.id),
        (select max(received_at) from intake_calls where user_id = users.id),
        (select deployed_at from latest_deployments where user_id = users.id and scope = '')
      )`)} as called_ms,
      (select ${inMs(sql`max(last_seen_at)`)} from sessions where user_id = users.id) as seen_ms
    from users where username > ${username} and ${isAccount} order by username limit ${chunkSize}`
}

/** Their first announcement, null if there is none yet. */
export type Checklist = { readonly first: Deployment | null }

/** The checklist in a user's settings; null once they have finished it. */
export async function readChecklist(db: Db, userId: number): Promise<Checklist | null> {
  const part = { userId, category: null, scope: null, environment: null }
  const [row] = await db.readPrimary(
    allRows<DeploymentRow | { id: null }>(sql`
      select ${deploymentColumns}
      from users left join (${oldestOf(part, { after: 0 }, 1)}) deployments on true
      where users.id = ${userId} and shows_checklist`),
  )
  if (row === undefined) return null
  return { first: row.id === null ? null : deploymentOf(row) }
}

/** Ends the checklist of a user permanently. */
export async function endChecklist(db: Db, userId: number): Promise<void> {
  await db.write((queries) =>
    queries.update(users).set({ showsChecklist: false }).where(eq(users.id, userId)),
  )
}
