import { eq, gte, type SQL, sql, TransactionRollbackError } from 'drizzle-orm'
import { chunked, chunkSize, type Db, inMs } from '../../database/db.ts'
import { isDuplicate } from '../../database/errors.ts'
import type { User } from '../../domain/account/user.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { wholeFeed } from '../../domain/feed/feed.ts'
import { type DeploymentRow, deploymentColumns, deploymentOf } from '../deployments.ts'
import { oldestOf } from '../feed-pages.ts'
import { allRows } from '../statements.ts'
import type { TableUse } from '../table-uses/table-use.ts'
import { isAccount, retiredUsernames, users } from './tables.ts'

export const publicColumns = {
  id: users.id,
  username: users.username,
  name: users.name,
  environmentOrder: users.environmentOrder,
}

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

const maxSuggested = 5
/** The database may sort other usernames between those that begin alike, so more are read. */
const maxCompared = 25

/** The first users whose username begins with a text. */
export async function findPeople(db: Db, beginning: string): Promise<User[]> {
  const rows = await db.read((queries) =>
    queries
      .select(publicColumns)
      .from(users)
      .where(gte(users.username, beginning))
      .orderBy(users.username)
      .limit(maxCompared),
  )
  return rows.filter(({ username }) => username.startsWith(beginning)).slice(0, maxSuggested)
}

/** When the oldest account was created; null if there is none. */
export async function firstAccountAt(db: Db): Promise<Date | null> {
  const [first] = await db.read((queries) =>
    queries.select({ since: users.createdAt }).from(users).orderBy(users.id).limit(1),
  )
  return first?.since ?? null
}

type Settings = Pick<typeof users.$inferInsert, 'name' | 'environmentOrder' | 'showsChecklist'>

/** Changes what a user has set. */
export async function changeUser(db: Db, userId: number, values: Partial<Settings>): Promise<void> {
  await db.write((queries) => queries.update(users).set(values).where(eq(users.id, userId)))
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
export async function* listAccounts(
  db: Db,
  tables: readonly TableUse[],
): AsyncGenerator<readonly Account[], void> {
  const chunks = chunked<AccountRow, string>(
    '',
    ({ username }) => username,
    (after) => db.readPrimary(allRows<AccountRow>(accountsAfter(tables, after))),
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

function accountsAfter(tables: readonly TableUse[], username: string): SQL {
  const uses = tables.flatMap(({ table, usedAt }) =>
    usedAt === undefined ? [] : sql`(select max(${usedAt}) from ${table} where user_id = users.id),`,
  )
  return sql`
    select username, name, ${inMs(sql`created_at`)} as since_ms,
      (select coalesce(sum(deployments), 0) from daily_deployments where user_id = users.id) as deployments,
      -- Tokens that were used may be gone: those that were ended, and those of publishers after some minutes.
      ${inMs(sql`greatest(
        ${sql.join(uses, sql` `)}
        (select deployed_at from latest_deployments where user_id = users.id and scope = '')
      )`)} as called_ms,
      (select ${inMs(sql`max(last_seen_at)`)} from sessions where user_id = users.id) as seen_ms
    from users where username > ${username} and ${isAccount} order by username limit ${chunkSize}`
}

/** Their first announcement, null if there is none yet. */
type Checklist = { readonly first: Deployment | null }

/** The checklist in a user's settings; null once they have finished it. */
export async function readChecklist(db: Db, userId: number): Promise<Checklist | null> {
  const [row] = await db.readPrimary(
    allRows<DeploymentRow | { id: null }>(sql`
      select ${deploymentColumns}
      from users left join (${oldestOf({ ...wholeFeed, userId }, { after: 0 }, 1)}) deployments on true
      where users.id = ${userId} and shows_checklist`),
  )
  if (row === undefined) return null
  return { first: row.id === null ? null : deploymentOf(row) }
}
