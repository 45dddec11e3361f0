import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { type ImportItem, parseImportItem } from '../../../src/capabilities/import/rules.ts'
import { type ImportOutcome, recordImport } from '../../../src/capabilities/import/store.ts'
import { pruneDeployments } from '../../../src/capabilities/pruning/store.ts'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { withdrawDeployment } from '../../../src/data/deployments.ts'
import { removeImported } from '../../../src/data/imported.ts'
import { recorder } from '../../../src/data/recording.ts'
import { feedLock, lockFeed } from '../../../src/database/locks.ts'
import { idsPerSecond, importOrigin } from '../../../src/domain/imported.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const db = service.db

const links = [
  'https://github.com/ada/engine/pull/1',
  'https://github.com/ada/notes/pull/1',
  'https://app.example.com/changelog',
  '',
]

function item(key: string, instant: Date, url = ''): ImportItem {
  const read = parseImportItem({ message: key, key, url, deployed_at: instant.toJSON() }, { now: new Date() })
  if (read.outcome === 'invalid') throw new Error(JSON.stringify(read.reasons))
  return read.item
}

/** Few keys, links and seconds, so that some are equal; some of the last seconds, to race with announcements. */
const someHistory = fc.array(
  fc.record({
    key: fc.constantFrom(...'abcdefghijklmnop'),
    url: fc.constantFrom(...links),
    agoMs: fc.oneof(fc.constantFrom(0, 500, 1_000), fc.nat(3_000), fc.nat(3 * 86_400_000)),
  }),
  { maxLength: 12 },
)
const act = fc.oneof(
  fc.record({ history: someHistory }),
  fc.record({ announce: fc.constantFrom(...links) }),
  fc.record({ announce: fc.constantFrom(...links) }),
  fc.record({ withdraw: fc.nat() }),
)

describe('Any history and any announcements, in any order and in parallel,', () => {
  test('are in the order of time in every list of their user, and count once', async () => {
    const record = recorder(db, 0)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(act, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
        async (turns) => {
          const [ada, grace] = [await signUpPoster(service), await signUpPoster(service)]
          const userId = await userIdOf(db, ada)
          const answers: ImportOutcome[] = []
          const perform = async (step: typeof act extends fc.Arbitrary<infer Act> ? Act : never) => {
            if ('announce' in step) await record(announcement(ada, step.announce))
            else if ('withdraw' in step) await withdrawAny(userId, step.withdraw)
            else {
              const items = step.history.map(({ key, url, agoMs }) =>
                item(key, new Date(Date.now() - agoMs), url),
              )
              const own = recordImport(db, { userId, token: null }, items)
              answers.push(await own)
              await recordImport(db, { userId: await userIdOf(db, grace), token: null }, items)
            }
          }
          for (const steps of turns) await Promise.all(steps.map(perform))
          for (const poster of [ada, grace]) await expectInOrder(await userIdOf(db, poster))
          for (const poster of [ada, grace]) await expectCounted(await userIdOf(db, poster))
          for (const answer of answers) expect(answer.outcome).toBe('judged')
          expect(await removeImported(db, userId)).toBe(true)
          expect((await stored(userId)).filter(({ id }) => id < 0)).toEqual([])
          await expectCounted(userId)
        },
      ),
      { numRuns: 12 },
    )
  })

  test('are added once by parallel calls with the same history', async () => {
    const ada = await signUpPoster(service)
    const userId = await userIdOf(db, ada)
    const items = Array.from({ length: 150 }, (_, n) =>
      item(`k${n}`, new Date(1_600_000_000_000), links[n % 4]),
    )
    const answers = await Promise.all([1, 2, 3].map(() => recordImport(db, { userId, token: null }, items)))
    const results = answers.flatMap((answer) => (answer.outcome === 'judged' ? answer.results : []))
    expect(results.filter((result) => result === 'added')).toHaveLength(150)
    expect(results.filter((result) => result === 'known')).toHaveLength(300)
    expect(await stored(userId)).toHaveLength(150)
    await expectCounted(userId)
  })
})

test('A call that is cancelled just as it gets the lock of the feed keeps nothing of it', async () => {
  const timeoutMs = 40
  const locks = () =>
    query(
      db,
      sql`
        select from pg_locks where locktype = 'advisory' and objid = ${feedLock}::int
          and database = (select oid from pg_database where datname = current_database())`,
    )
  for (let round = 0; round < 60; round += 1) {
    const held = Promise.withResolvers<void>()
    const holding = db.write((queries) =>
      queries.transaction(async (transaction) => {
        await lockFeed(transaction)
        held.resolve()
        await Bun.sleep(timeoutMs - 3 + (round % 12) / 2)
      }),
    )
    await held.promise
    const calling = Array.from({ length: 4 }, () =>
      db.write((queries) =>
        queries.transaction(async (transaction) => {
          await transaction.execute(sql.raw(`set local statement_timeout = ${timeoutMs}`))
          await transaction.execute(sql`select record_history(0, '[]', 3::smallint, true)`)
        }),
      ),
    )
    await Promise.allSettled([holding, ...calling])
    expect(await locks()).toEqual([])
  }
})

test('An id that a deployment of another user has is left to it: both are kept, in the same second', async () => {
  const [ada, grace] = [await signUpPoster(service), await signUpPoster(service)]
  const [adasId, gracesId] = [await userIdOf(db, ada), await userIdOf(db, grace)]
  const one = item('one', new Date(1_500_000_000_000))
  const add = () => recordImport(db, { userId: adasId, token: null }, [one])
  await add()
  const [{ id = 0 } = {}] = await stored(adasId)
  await removeImported(db, adasId)
  // A deployment of another user, with the id that the removed one had.
  await query(
    db,
    sql`
      insert into deployments (id, user_id, message, scopes, deployed_at)
      values (${id}, ${gracesId}, 'other', '{""}', to_timestamp(1500000000))`,
  )
  await add()
  const [own] = await stored(adasId)
  const first = 1_500_000_000 * idsPerSecond - importOrigin
  expect(own?.id).not.toBe(id)
  expect(own?.id).toBeWithin(first, first + idsPerSecond)
})

test('Pruning takes old history and old announcements, and keeps the last of each target', async () => {
  await emptyDatabase(db)
  const ada = await signUpPoster(service)
  const userId = await userIdOf(db, ada)
  const years = [2015, 2016, 2017, 2018]
  const items = years.flatMap((year) =>
    links.map((url) => item(`${year} ${url}`, new Date(`${year}-06-01T00:00:00Z`), url)),
  )
  await recordImport(db, { userId, token: null }, items)
  await recorder(db, 0)(announcement(ada, links[0] ?? ''))
  const before = new Date('2018-01-01T00:00:00Z')
  const pruned = await pruneDeployments(db, { before, isDryRun: false })
  expect(pruned).toEqual({ gone: 12, kept: 0 })
  expect(await stored(userId)).toHaveLength(5)
  await expectCounted(userId)
  await pruneDeployments(db, { before: new Date('2019-01-01T00:00:00Z'), isDryRun: false })
  // The latest of the engine and of everything is the announcement.
  expect(await stored(userId)).toHaveLength(3)
  await expectCounted(userId)
})

function announcement({ token }: Poster, url: string) {
  return {
    tokenHash: hashSecret(token),
    announcement: { message: 'Live', url: url || null, category: null },
    idempotencyKey: null,
  }
}

async function withdrawAny(userId: number, which: number): Promise<void> {
  const rows = await stored(userId)
  const { id } = rows[which % Math.max(1, rows.length)] ?? {}
  if (id !== undefined) await withdrawDeployment(db, { userId, id })
}

type Stored = { readonly id: number; readonly at_ms: number }

function stored(userId: number): Promise<readonly Stored[]> {
  return query<Stored>(
    db,
    sql`
      select id::float8 as id, (extract(epoch from deployed_at) * 1000)::float8 as at_ms
      from deployments where user_id = ${userId} order by id`,
  )
}

async function expectInOrder(userId: number): Promise<void> {
  const instants = (await stored(userId)).map(({ at_ms }) => at_ms)
  expect(instants).toEqual(instants.toSorted((a, b) => a - b))
}

/** Everything that is kept about the deployments of a user equals a count of them. */
async function expectCounted(userId: number): Promise<void> {
  const own = sql`(select *, (deployed_at at time zone 'UTC')::date as day from deployments where user_id = ${userId}) d`
  const tables = [
    [
      sql`select scope, deployed_at from latest_deployments where user_id = ${userId}`,
      sql`select scope, max(deployed_at) from ${own}, unnest(scopes) scope group by 1`,
    ],
    [
      sql`select target, deployed_at from targets where user_id = ${userId}`,
      sql`select target, max(deployed_at) from ${own} where target is not null group by 1`,
    ],
    [
      sql`select scope, target from target_scopes where user_id = ${userId}`,
      sql`select distinct scope, target from ${own}, unnest(scopes) scope where target is not null and scope <> ''`,
    ],
    [
      sql`select day, deployments from daily_deployments where user_id = ${userId}`,
      sql`select day, count(*)::int from ${own} group by 1`,
    ],
    [
      sql`select target, day, deployments from target_days where user_id = ${userId}`,
      sql`select target, day, count(*)::int from ${own} where target is not null group by 1, 2`,
    ],
  ] as const
  for (const [kept, counted] of tables) {
    const both = await query(db, sql`(${kept} except ${counted}) union all (${counted} except ${kept})`)
    expect(both).toEqual([])
  }
}
