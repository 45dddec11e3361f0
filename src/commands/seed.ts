import { eq, inArray, sql } from 'drizzle-orm'
import { retiredUsernames, users } from '../data/account/schema.ts'
import { counting } from '../data/counting.ts'
import { dailyDeployments, deployments, latestDeployments, targets } from '../data/schema.ts'
import { ringBell } from '../database/bell.ts'
import type { Db, Queries } from '../database/db.ts'
import { lockFeed } from '../database/locks.ts'
import { texts } from '../database/sql.ts'
import { categoryOf } from '../domain/category.ts'
import { daysInOverview } from '../domain/overview.ts'
import { scopeOf, scopesOf, targetOf, targetRule } from '../domain/target.ts'
import { dayOf, startOf } from '../domain/time.ts'
import { type Command, CommandRefused, program } from './command.ts'
import { cast, messages } from './seed-cast.ts'

export const seededPassword = 'ship it every day'

/**
 * A hash of that password, and the mark of an account of the seed: nobody else's has this salt, not with the
 * same password either. Who changes the password makes the account their own.
 */
export const mark =
  '$argon2id$v=19$m=19456,t=2,p=1$QmAW1WHwysszwM8eRwSeqC9XYuws5G5crYNwfesiMio$DBq8WDGZg8CqbdkvAVlAoSKC4AKbXIOXI8xGRf9cbkw'

/** `seed`: a small cast with deployments in every state of freshness, to look around. */
export const seedCommand: Command = {
  name: 'seed',
  summary: 'fill a database for development with a small cast and their deployments',
  usage: `${program} seed\n\nFor example: DATA_DIR=./data/demo ${program} seed`,
  prepare: () => ({
    makesDatabase: true,
    async withDatabase({ db, config, output }) {
      if (config.production) throw new CommandRefused('it is for development, and this is production')
      await seed(db, new Date())
      const usernames = cast.map(({ username }) => username).join(', ')
      await output(`Seeded ${usernames}. Each signs in with: ${seededPassword}\n`)
    },
  }),
}

/**
 * Gives the cast their deployments, replacing those of an earlier seed. Throws CommandRefused, and changes
 * nothing, if one of their usernames is or was somebody else's.
 */
export async function seed(db: Db, now: Date): Promise<void> {
  await db.run((queries) =>
    queries.transaction(async (transaction) => {
      await lockFeed(transaction)
      const idOf = await settle(transaction, joined(now))
      const rows = posts(now).map(({ username, ...post }) => ({ ...post, userId: idOf.get(username) ?? 0 }))
      await replaceDeployments(transaction, [...idOf.values()], rows)
      await transaction.execute(ringBell)
    }),
  )
}

/** Makes the accounts of the cast, or finds those of an earlier seed; gives their ids by username. */
async function settle(transaction: Queries, createdAt: Date): Promise<ReadonlyMap<string, number>> {
  const settled = await transaction
    .insert(users)
    .values(cast.map(({ username, name }) => ({ username, name, passwordHash: mark, createdAt })))
    .onConflictDoUpdate({
      target: users.username,
      set: { name: sql`excluded.name`, createdAt: sql`excluded.created_at` },
      setWhere: eq(users.passwordHash, mark),
    })
    .returning({ id: users.id, username: users.username })
  const idOf = new Map(settled.map(({ id, username }) => [username, id]))
  const others = cast.find(({ username }) => !idOf.has(username))
  if (others !== undefined) refuse(others.username, 'is an account that no seed made')
  const [deleted] = await transaction
    .select({ username: retiredUsernames.username })
    .from(retiredUsernames)
    .where(inArray(retiredUsernames.username, [...idOf.keys()]))
  if (deleted !== undefined) refuse(deleted.username, "was an account, and is nobody's any more")
  return idOf
}

function refuse(username: string, reason: string): never {
  throw new CommandRefused(`"${username}" ${reason}: use another database`)
}

async function replaceDeployments(
  transaction: Queries,
  userIds: readonly number[],
  rows: readonly (typeof deployments.$inferInsert)[],
): Promise<void> {
  for (const table of [deployments, latestDeployments, targets, dailyDeployments]) {
    await transaction.delete(table).where(inArray(table.userId, [...userIds]))
  }
  await transaction.insert(deployments).values([...rows])
  const ids = texts(userIds.map(String))
  const seeded = sql`(select * from deployments where user_id = any(${ids}::bigint[]))`
  for (const statement of Object.values(counting(seeded))) await transaction.execute(statement)
}

/** When the cast joined: before their first deployment. */
function joined(now: Date): Date {
  return startOf(dayOf(now) - daysInOverview)
}

/** The oldest first, so that ids and times have the same order. */
function posts(now: Date) {
  return cast
    .flatMap(({ username, deployed }) => deployed.map(([project, age]) => ({ username, project, age })))
    .toSorted((a, b) => b.age - a.age)
    .map(({ username, project, age }, n) => {
      const message = messages[n % messages.length] ?? ''
      const url = `https://${project}/pull/${400 + n}`
      const target = targetOf(url)
      return {
        username,
        message,
        url,
        deployedAt: new Date(now.getTime() - age),
        category: categoryOf(message),
        scopes: scopesOf(target),
        target: scopeOf(target),
        targetRule,
      }
    })
}
