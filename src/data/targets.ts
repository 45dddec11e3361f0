import { type SQL, sql } from 'drizzle-orm'
import { batch } from '../database/batch.ts'
import type { Db } from '../database/db.ts'
import { everything } from '../domain/target.ts'
import { asked, userId } from './badges/asked.ts'
import type { LatestQuestion } from './badges/latest.ts'
import { allRows, oneValue } from './statements.ts'

const maxOffered = 100

/** The last targets of a user, which forms offer. */
export async function lastTargets(db: Db, userId: number): Promise<readonly string[]> {
  const rows = await db.read(
    allRows<{ target: string }>(sql`
      select target from targets where user_id = ${userId}
      order by user_id desc, deployed_at desc limit ${maxOffered}`),
  )
  return rows.map(({ target }) => target)
}

/** The target for which a new deployment counts, given the user and the target that was read from it, as expressions. */
export function joinedTarget(userId: SQL, target: SQL): SQL {
  return sql`coalesce((
    select joined.target from joined_projects joined where joined.user_id = ${userId} and joined.spelling = ${target}
  ), ${target})`
}

/** The target into which a scope was joined, if nothing counts for the scope any more; else null. As an expression. */
export function readInstead(userId: SQL, scope: SQL): SQL {
  return sql`(
    select joined.target from joined_projects joined
    where joined.user_id = ${userId} and joined.spelling = ${scope} and not exists (
      select from target_scopes covered where covered.user_id = ${userId} and covered.scope = ${scope}
    )
  )`
}

/** The scope to read for one of a user: the same, or the target into which it was joined and moved. */
export async function scopeToRead(db: Db, of: { userId: number; scope: string }): Promise<string> {
  const instead = readInstead(sql`${of.userId}::bigint`, sql`${of.scope}::text`)
  return (await db.read(oneValue<string | null>(sql`select ${instead} as scope`))) ?? of.scope
}

/**
 * Makes a reader of badges read what a scope was joined into. Only scopes for which it finds nothing are looked up, so
 * other badges take no further statement.
 */
export function readingJoined(db: Db) {
  const findAll = async (questions: readonly LatestQuestion[]) => {
    const instead = sql`select ${readInstead(userId, sql`q.scope`)} as scope from ${asked(questions)} order by q.n`
    const rows = await db.read(allRows<{ scope: string | null }>(instead), 'reserved')
    return rows.map(({ scope }) => scope)
  }
  const find = batch(db, 'joined_projects', findAll, { inFlight: 2, batchSize: 500 })

  return <Question extends LatestQuestion, Answer extends { readonly latest: Date | null }>(
    read: (question: Question) => Promise<Answer>,
  ) =>
    async (question: Question): Promise<Answer> => {
      const answer = await read(question)
      if (answer.latest !== null || question.scope === everything) return answer
      const { username, scope } = question
      const instead = await find({ username, scope })
      return instead === null ? answer : await read({ ...question, scope: instead })
    }
}
