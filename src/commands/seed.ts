import { inArray } from 'drizzle-orm'
import { readConfig } from '../config.ts'
import { hashPassword } from '../data/password-hash.ts'
import { dailyDeployments, deployments, latestDeployments, targets, users } from '../data/schema.ts'
import type { Queries } from '../database/db.ts'
import { openDatabase } from '../database/open.ts'
import { categoryOf } from '../domain/category.ts'
import { daysInOverview } from '../domain/overview.ts'
import { projectOf } from '../domain/project.ts'
import { scopeOf, scopesOf, targetOf } from '../domain/target.ts'
import { dayOf, startOf } from '../domain/time.ts'
import { cast, messages } from './seed-cast.ts'

const password = 'ship it every day'

if (import.meta.main) await main()

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if (config.production) {
    console.error('The seed is for development: it does not touch a database in production')
    process.exit(1)
  }
  const db = await openDatabase(config)
  await db.migrated
  const passwordHash = await hashPassword(password)
  await db.run((queries) => seed(queries, { passwordHash, now: new Date() }))
  await db.close()
  console.log(`Seeded ${cast.map(({ username }) => username).join(', ')}. Each signs in with: ${password}`)
}

/** Puts the cast and their deployments in place of an earlier seed's; leaves every other user alone. */
export async function seed(
  queries: Queries,
  { passwordHash, now }: { passwordHash: string; now: Date },
): Promise<void> {
  await queries.transaction(async (transaction) => {
    const usernames = cast.map(({ username }) => username)
    await transaction.delete(users).where(inArray(users.username, usernames))
    const created = await transaction
      .insert(users)
      .values(cast.map(({ username, name }) => ({ username, name, passwordHash, createdAt: joined(now) })))
      .returning({ id: users.id, username: users.username })
    const idOf = new Map(created.map(({ id, username }) => [username, id]))
    const rows = posts(now).map(({ username, ...post }) => ({ ...post, userId: idOf.get(username) ?? 0 }))
    await transaction.insert(deployments).values(rows)
    await transaction.insert(latestDeployments).values(latestOf(rows))
    await transaction.insert(targets).values(targetsOf(rows))
    await transaction.insert(dailyDeployments).values(daysOf(rows))
  })
}

/** Before their first deployment. */
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
      const deployedTo = projectOf(target)
      return {
        username,
        message,
        url,
        deployedAt: new Date(now.getTime() - age),
        category: categoryOf(message),
        scopes: scopesOf(target),
        target: deployedTo === null ? null : scopeOf(deployedTo),
      }
    })
}

type Row = { userId: number; scopes: readonly string[]; target: string | null; deployedAt: Date }

/** The last one of each user and scope. */
function latestOf(rows: readonly Row[]) {
  const latest = rows.flatMap(({ userId, scopes, deployedAt }) =>
    scopes.map((scope) => ({ userId, scope, deployedAt })),
  )
  return [...new Map(latest.map((row) => [`${row.userId} ${row.scope}`, row])).values()]
}

/** The last one of each user and target. */
function targetsOf(rows: readonly Row[]) {
  const latest = rows.flatMap(({ userId, target, deployedAt }) =>
    target === null ? [] : [{ userId, target, deployedAt }],
  )
  return [...new Map(latest.map((row) => [`${row.userId} ${row.target}`, row])).values()]
}

/** How many each user has on each day. */
function daysOf(rows: readonly Row[]) {
  const days = Map.groupBy(rows, ({ userId, deployedAt }) => `${userId} ${dayOf(deployedAt)}`)
  return [...days.values()].flatMap((ofDay) => {
    const [first] = ofDay
    if (first === undefined) return []
    const day = startOf(dayOf(first.deployedAt)).toISOString().slice(0, 10)
    return [{ userId: first.userId, day, deployments: ofDay.length }]
  })
}
