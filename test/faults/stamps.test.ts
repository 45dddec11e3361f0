import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { pruneDeployments } from '../../src/capabilities/pruning/store.ts'
import { deleteUser } from '../../src/data/account/deletion.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { day } from '../../src/domain/time.ts'
import { tables } from '../../src/table-uses.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { startService } from '../support/service.ts'

const people = 4
const roundsEach = 15

test('Announcing, withdrawing, pruning, changing by hand and deleting at the same time end in no deadlock', async () => {
  const { url, drop } = await createPostgresDatabase()
  const db = await openPostgres(url)
  await db.migrated
  const service = await startService({}, db)
  const posters = await Promise.all(Array.from({ length: people }, () => signUpPoster(service)))
  const direct = postgres(url, { max: 2, onnotice: () => {} })
  let isOver = false

  const announceAndWithdraw = async (poster: Poster) => {
    for (let n = 0; n < roundsEach; n += 1) {
      const sent = Array.from({ length: 6 }, (_, link) =>
        poster.announced({ message: 'It', url: `https://${poster.username}.example/${link}` }),
      )
      const [first, second] = await Promise.all(sent)
      for (const id of [first, second]) {
        expect((await poster.send(`/${poster.username}/${id}/delete`, {})).status).toBeLessThan(500)
      }
    }
  }
  const untilOver = async (work: () => Promise<unknown>) => {
    while (!isOver) await work()
  }
  const meddling = [
    untilOver(() => pruneDeployments(db, { before: new Date(Date.now() - day), isDryRun: false })),
    // Only earlier days are pruned.
    untilOver(
      () => direct`
          update deployments set deployed_at = now() - interval '3 days'
          where id = any(array(
            select id from deployments where deployed_at > now() - interval '1 day' order by id limit 1
          ))`,
    ),
  ]
  await Promise.all(posters.map(announceAndWithdraw))
  const [first] = await direct`select id from users where username = ${posters[0]?.username ?? ''}`
  await Promise.all([deleteUser(db, tables, Number(first?.id)), ...posters.slice(1).map(announceAndWithdraw)])
  isOver = true
  await Promise.all(meddling)

  await service.close()
  await db.close()
  // A connection tells what it has counted when it ends.
  await eventually('Postgres has counted the statements', async () => {
    const [counted] =
      await direct`select xact_commit > 100 as is_counted from pg_stat_database where datname = current_database()`
    return counted?.is_counted === true
  })
  expect(
    await direct`select deadlocks::int from pg_stat_database where datname = current_database()`,
  ).toEqual([{ deadlocks: 0 }] as never)
  await direct.end()
  await drop()
})
