import { inArray } from 'drizzle-orm'
import { readConfig } from '../config.ts'
import { categoryOf } from '../domain/category.ts'
import { scopesOf, targetOf } from '../domain/target.ts'
import { openDatabase, type Queries } from './database.ts'
import { deployments, latestDeployments, users } from './schema.ts'

const password = 'ship it every day'

const hour = 60 * 60 * 1000
const day = 24 * hour

/** One user for each freshness; ages are those of their deployments, the oldest first. */
const cast = [
  {
    username: 'ada',
    name: 'Ada Lovelace',
    project: 'github.com/ada/engine',
    ages: [40 * day, 9 * day, 26 * hour, 2 * hour],
  },
  {
    username: 'grace',
    name: 'Grace Hopper',
    project: 'github.com/navy/compiler',
    ages: [20 * day, 3 * day, 8 * hour],
  },
  { username: 'linus', name: 'Linus', project: 'git.example.org/kernel', ages: [50 * day, 6 * day, 2 * day] },
  { username: 'mshaw', name: 'Mary Shaw', project: 'app.example.com/changelog', ages: [90 * day, 12 * day] },
  {
    username: 'dorothy',
    name: 'Dorothy Vaughan',
    project: 'github.com/west/area',
    ages: [200 * day, 45 * day],
  },
  { username: 'newcomer', name: 'New Comer', project: '', ages: [] },
]

const messages = [
  '✨ Saved searches\n\nYou can now pin a search and get it back on every device.\nWorks offline too.',
  'Fix login redirect loop after the session expires',
  '⚡ Cold start is 40% faster: the index is mapped, not read',
  '💄 New empty states and calmer buttons',
  'Team invitations 🎉',
  "fix: dates in the export use the reader's time zone",
  'chore: renew the certificates',
]

if (import.meta.main) await main()

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if (config.production) {
    console.error('The seed is for development: it does not touch a database in production')
    process.exit(1)
  }
  const db = await openDatabase(config)
  await db.migrated
  const passwordHash = await Bun.password.hash(password, {
    algorithm: 'argon2id',
    memoryCost: 19_456,
    timeCost: 2,
  })
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
      .values(cast.map(({ username, name }) => ({ username, name, passwordHash })))
      .returning({ id: users.id, username: users.username })
    const idOf = new Map(created.map(({ id, username }) => [username, id]))
    const rows = posts(now).map(({ username, ...post }) => ({ ...post, userId: idOf.get(username) ?? 0 }))
    await transaction.insert(deployments).values(rows)
    await transaction.insert(latestDeployments).values(latestOf(rows))
  })
}

/** The oldest first, so that ids and times have the same order. */
function posts(now: Date) {
  return cast
    .flatMap(({ username, project, ages }) => ages.map((age) => ({ username, project, age })))
    .toSorted((a, b) => b.age - a.age)
    .map(({ username, project, age }, n) => {
      const message = messages[n % messages.length] ?? ''
      const url = `https://${project}/pull/${400 + n}`
      const deployedAt = new Date(now.getTime() - age)
      return {
        username,
        message,
        url,
        deployedAt,
        category: categoryOf(message),
        scopes: scopesOf(targetOf(url)),
      }
    })
}

/** The last one of each user and scope. */
function latestOf(rows: readonly { userId: number; scopes: readonly string[]; deployedAt: Date }[]) {
  const latest = rows.flatMap(({ userId, scopes, deployedAt }) =>
    scopes.map((scope) => ({ userId, scope, deployedAt })),
  )
  return [...new Map(latest.map((row) => [`${row.userId} ${row.scope}`, row])).values()]
}
