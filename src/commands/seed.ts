import { inArray, sql } from 'drizzle-orm'
import { ConfigError, readConfig } from '../config.ts'
import { hashPassword, verifyPassword } from '../data/account/password-hash.ts'
import { users } from '../data/account/schema.ts'
import { counting } from '../data/counting.ts'
import { dailyDeployments, deployments, latestDeployments, targets } from '../data/schema.ts'
import { ringBell } from '../database/bell.ts'
import type { Db, Queries } from '../database/db.ts'
import { DatabaseUnusable } from '../database/errors.ts'
import { lockFeed } from '../database/locks.ts'
import { openDatabase } from '../database/open.ts'
import { texts } from '../database/sql.ts'
import { categoryOf } from '../domain/category.ts'
import { daysInOverview } from '../domain/overview.ts'
import { scopeOf, scopesOf, targetOf, targetRule } from '../domain/target.ts'
import { dayOf, startOf } from '../domain/time.ts'
import { cast, messages } from './seed-cast.ts'

/** Marks the accounts of the seed: one with another password is not touched. */
const password = 'ship it every day'

class SeedRefused extends Error {}

if (import.meta.main) {
  try {
    await main()
  } catch (error) {
    const isExpected = [ConfigError, DatabaseUnusable, SeedRefused].some((type) => error instanceof type)
    console.error(isExpected && error instanceof Error ? `Shipfeed cannot seed: ${error.message}` : error)
    process.exit(1)
  }
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if (config.production) throw new SeedRefused('it is for development, and this is production')
  const db = await openDatabase(config)
  await db.migrated
  await seed(db, new Date())
  await db.close()
  console.log(`Seeded ${cast.map(({ username }) => username).join(', ')}. Each signs in with: ${password}`)
}

/**
 * Gives the cast their deployments, replacing those of an earlier seed. Throws SeedRefused, and changes
 * nothing, if one of their usernames is somebody else's.
 */
export async function seed(db: Db, now: Date): Promise<void> {
  await refuseWhereTaken(db)
  const passwordHash = await hashPassword(password)
  await db.run((queries) =>
    queries.transaction(async (transaction) => {
      await lockFeed(transaction)
      const created = await transaction
        .insert(users)
        .values(cast.map(({ username, name }) => ({ username, name, passwordHash, createdAt: joined(now) })))
        .onConflictDoUpdate({
          target: users.username,
          set: { name: sql`excluded.name`, createdAt: sql`excluded.created_at` },
        })
        .returning({ id: users.id, username: users.username })
      const idOf = new Map(created.map(({ id, username }) => [username, id]))
      const rows = posts(now).map(({ username, ...post }) => ({ ...post, userId: idOf.get(username) ?? 0 }))
      await replaceDeployments(transaction, [...idOf.values()], rows)
      await transaction.execute(ringBell)
    }),
  )
}

async function refuseWhereTaken(db: Db): Promise<void> {
  const usernames = cast.map(({ username }) => username)
  const found = await db.run((queries) =>
    queries
      .select({ username: users.username, passwordHash: users.passwordHash })
      .from(users)
      .where(inArray(users.username, usernames)),
  )
  for (const { username, passwordHash } of found) {
    if (!(await verifyPassword(password, passwordHash))) {
      throw new SeedRefused(`"${username}" is an account that no seed made: use another database`)
    }
  }
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
