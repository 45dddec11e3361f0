import { expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { readersOf } from '../../../src/capabilities/members-only/store.ts'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { listAccounts } from '../../../src/data/account/users.ts'
import { day } from '../../../src/domain/time.ts'
import { tables } from '../../../src/table-uses.ts'
import { query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { addToken, makeReadKey, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ VISIBILITY: 'members' })
const { db } = service

test('the last call of an account is the latest by any token, publisher or intake, and outlives them', async () => {
  const poster = await signUpPoster(service)
  await addToken(poster, { name: 'second' })
  const userId = await userIdOf(db, poster)
  expect(await lastCall(poster.username)).toBeNull()

  const daysAgo = (days: number) => sql`now() - make_interval(days => ${days}::int)`
  const uses: readonly SQL[] = [
    sql`update tokens set last_used_at = ${daysAgo(6)} where user_id = ${userId} and name = 'default'`,
    sql`update tokens set last_used_at = ${daysAgo(5)} where user_id = ${userId} and name = 'second'`,
    sql`insert into publishers (user_id, issuer, repository, last_used_at) values (${userId}, 'i', 'r', ${daysAgo(4)})`,
    sql`
      with made as (
        insert into intakes values ('a', ${userId}, 'github', 's', '{}', '{}', false) returning id
      )
      insert into intake_calls (user_id, intake_id, about, outcome, received_at)
      select ${userId}, 'a', '', 'left_out', ${daysAgo(3)} from made`,
    sql`insert into latest_deployments (user_id, scope, deployed_at) values (${userId}, '', ${daysAgo(2)})`,
    sql`delete from tokens where user_id = ${userId}`,
  ]
  const found: (number | null)[] = []
  for (const use of uses) {
    await query(db, use)
    found.push(await lastCall(poster.username))
  }
  expect(found).toEqual([6, 5, 4, 3, 2, 2])
})

test('readers note their use of keys, tokens and sessions without waiting for whoever writes those', async () => {
  const ada = await signUpPoster(service)
  const userId = await userIdOf(db, ada)
  await makeReadKey(ada)
  await query(db, sql`update sessions set last_seen_at = now() - interval '1 hour' where user_id = ${userId}`)
  const { isKey, findToken } = readersOf(db)
  const [key] = await query<{ hash: string }>(db, sql`select hash from read_keys where user_id = ${userId}`)

  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const holding = db.writeAtLength(async (transaction) => {
    for (const table of ['tokens', 'read_keys', 'sessions'])
      await transaction.execute(
        sql`select from ${sql.identifier(table)} where user_id = ${userId} for no key update`,
      )
    hold()
    await released
  })
  await held
  const reading = Promise.all([
    isKey(key?.hash ?? ''),
    findToken(hashSecret(ada.token)),
    ada.get('/settings').then(({ status }) => status),
  ])
  // Whoever waits is refused after two seconds.
  const [isKnown, token, status] = await reading.finally(release)
  await holding
  expect([isKnown, token?.name, status]).toEqual([true, 'default', 200])
})

/** How many days ago the last call was; null if there was none. */
async function lastCall(username: string): Promise<number | null> {
  for await (const accounts of listAccounts(db, tables)) {
    const account = accounts.find((one) => one.username === username)
    if (account?.calledAt) return Math.round((Date.now() - account.calledAt.getTime()) / day)
  }
  return null
}
