import { sql } from 'drizzle-orm'
import { type Db, oneRowOf } from '../database/db.ts'
import { deletedAtOnce, gently } from '../database/pacing.ts'
import { facetKey } from './facets.ts'
import { allRows } from './statements.ts'
import type { TableUse } from './table-uses/table-use.ts'

/**
 * Takes an actor, in the form of caselessKey of domain/field-parsing.ts, out of what waits or is about to be announced,
 * out of filters, and out of all deployments, in chunks. May be interrupted and run again. Returns how many deployments
 * named the actor, and how many webhooks were paused for having sent nothing else.
 */
export async function forgetActor(db: Db, tables: readonly TableUse[], key: string) {
  const isIt = facetKey('actor')
  const statements = tables.flatMap(({ forgetting }) => forgetting?.(key) ?? [])
  const paused = await db.write((queries) =>
    queries.transaction(async (transaction) => {
      let sum = 0
      for (const statement of statements)
        sum += (await oneRowOf<{ paused: number }>(transaction, statement)).paused
      return sum
    }),
  )
  let deployments = 0
  for (let forgotten = deletedAtOnce; forgotten === deletedAtOnce; deployments += forgotten) {
    const rows = await gently(() =>
      db.write(
        allRows<{ id: string }>(sql`
          update deployments set actor = null where id in (
            select id from deployments where actor is not null and ${isIt} = ${key}
            order by ${isIt}, id limit ${deletedAtOnce}
          ) returning id`),
      ),
    )
    forgotten = rows.length
  }
  return { deployments, paused }
}
