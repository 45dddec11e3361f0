import { eq, inArray, sql } from 'drizzle-orm'
import { type Command, CommandRefused, program } from '../../commands/command.ts'
import { retiredUsernames, users } from '../../data/account/tables.ts'
import { counting } from '../../data/statements.ts'
import { dailyDeployments, deployments, latestDeployments, targetScopes, targets } from '../../data/tables.ts'
import { ringBell } from '../../database/bell.ts'
import { type Db, type Queries, texts } from '../../database/db.ts'
import { lockFeed } from '../../database/locks.ts'
import { categoryOf } from '../../domain/category.ts'
import { daysInOverview } from '../../domain/statistics/overview.ts'
import { countedFor, targetRule } from '../../domain/target.ts'
import { day, hour, startOfDay, utcDayOf } from '../../domain/time.ts'
import { type Announced, cast, demoAnnouncements } from './data.ts'

export const seededPassword = 'ship it every day'

/** Its hash, which also marks the accounts of the seed until their password is changed: no other has this salt. */
export const seedMark =
  '$argon2id$v=19$m=19456,t=2,p=1$QmAW1WHwysszwM8eRwSeqC9XYuws5G5crYNwfesiMio$DBq8WDGZg8CqbdkvAVlAoSKC4AKbXIOXI8xGRf9cbkw'

export const seedCommand: Command = {
  name: 'seed',
  summary: 'fill a database for development with a few users and their deployments',
  usage: `${program} seed\n\nFor example: DATA_DIR=./data/demo ${program} seed`,
  makesDatabase: true,
  async withDatabase({ db, config, output }) {
    if (config.production) throw new CommandRefused('it is for development only, and NODE_ENV is production')
    await seed(db, new Date())
    const usernames = cast.map(({ username }) => username).join(', ')
    await output(`Seeded ${usernames}. Password for all of them: ${seededPassword}\n`)
  },
}

/** Replaces an earlier seed. Throws CommandRefused if a username belongs or belonged to another account. */
export async function seed(db: Db, now: Date): Promise<void> {
  // Without a deadline, because its thousand rows take a slow machine longer than a page may.
  await db.writeAtLength(async (transaction) => {
    await lockFeed(transaction)
    const beforeTheirFirst = startOfDay(utcDayOf(now) - daysInOverview)
    const idOf = await settle(transaction, beforeTheirFirst)
    const userIds = [...idOf.values()]
    for (const table of [deployments, latestDeployments, targets, targetScopes, dailyDeployments]) {
      await transaction.delete(table).where(inArray(table.userId, userIds))
    }
    const rows = posts(now).map(({ username, ...post }) => ({ ...post, userId: idOf.get(username) ?? 0 }))
    await transaction.insert(deployments).values(rows)
    const ids = texts(userIds.map(String))
    const seeded = sql`(select * from deployments where user_id = any(${ids}::bigint[]))`
    await transaction.execute(counting(seeded))
    await transaction.execute(ringBell)
  })
}

/** Creates the accounts of the cast, or finds those of an earlier seed. Returns their ids by username. */
async function settle(transaction: Queries, createdAt: Date): Promise<ReadonlyMap<string, number>> {
  const settled = await transaction
    .insert(users)
    .values(cast.map(({ username, name }) => ({ username, name, passwordHash: seedMark, createdAt })))
    .onConflictDoUpdate({
      target: users.username,
      set: { name: sql`excluded.name`, createdAt: sql`excluded.created_at` },
      setWhere: eq(users.passwordHash, seedMark),
    })
    .returning({ id: users.id, username: users.username })
  const idOf = new Map(settled.map(({ id, username }) => [username, id]))
  const others = cast.find(({ username }) => !idOf.has(username))
  if (others !== undefined) refuse(others.username, 'is an account that the seed did not create')
  const [deleted] = await transaction
    .select({ username: retiredUsernames.username })
    .from(retiredUsernames)
    .where(inArray(retiredUsernames.username, [...idOf.keys()]))
  if (deleted !== undefined) refuse(deleted.username, 'was an account that has been deleted')
  return idOf
}

function refuse(username: string, reason: string): never {
  throw new CommandRefused(`"${username}" ${reason}: use another database`)
}

/** The texts, and before them a busy year of one user. The oldest first, so that ids and times have the same order. */
function posts(now: Date) {
  const told = demoAnnouncements()
  return [...told, ...busyYear(told.filter(({ username }) => username === 'ada'))]
    .toSorted((a, b) => b.age - a.age)
    .map(({ age, repository, ...post }, n) => {
      const url = `https://${repository}/${pageOf(repository, post.version, n + 1)}`
      return {
        ...post,
        url,
        deployedAt: new Date(now.getTime() - age),
        category: categoryOf(post.message),
        ...countedFor({ ...post, url }),
        targetRule,
      }
    })
}

/** The page of a version or of a change, as the forge of the repository has it. */
function pageOf(repository: string, version: string | undefined, number: number): string {
  const isOnGitlab = repository.startsWith('gitlab.com/')
  if (version === undefined) return isOnGitlab ? `-/merge_requests/${number}` : `pull/${number}`
  return `${isOnGitlab ? '-/tags' : 'releases/tag'}/${encodeURIComponent(version)}`
}

/** Up to five a day, with two quiet days a week. Random, but the same each time. */
function busyYear(own: readonly Announced[]): Announced[] {
  return Array.from({ length: 350 }, (_, n) => n + 8).flatMap((ago) =>
    Array.from({ length: countAt(ago) }, (_, n) => {
      const again = own[(ago + 5 * n) % own.length] as Announced
      return { ...again, age: ago * day + (n + 1) * 2 * hour, version: undefined }
    }),
  )
}

function countAt(ago: number): number {
  const chance = Bun.hash.crc32(`${ago} days ago`) % 10
  return ago % 7 > 4 ? Math.max(0, chance - 8) : Math.max(0, chance - 4)
}
