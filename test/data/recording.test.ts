import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { deleteUser } from '../../src/data/account/deletion.ts'
import { users } from '../../src/data/account/tables.ts'
import { rollToken } from '../../src/data/account/token-settings.ts'
import { hashSecret } from '../../src/data/account/tokens.ts'
import type { Recording, RecordingOutcome } from '../../src/data/recording.ts'
import { recorder } from '../../src/data/recording.ts'
import { counting } from '../../src/data/statements.ts'
import { dailyDeployments, latestDeployments, targetScopes, targets } from '../../src/data/tables.ts'
import { tables } from '../../src/table-uses.ts'
import { query } from '../support/database.ts'
import { userIdOf } from '../support/deployments.ts'
import { eventually } from '../support/eventually.ts'
import type { Poster } from '../support/people.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
const db = service.db

const newPoster = () => signUpPoster(service)

describe('Calls that arrive together', () => {
  test('are each answered for themselves, in their order', async () => {
    const [ada, grace] = [await newPoster(), await newPoster()]
    const record = recorder(db, 0)
    const results = await Promise.all([
      record(call(ada, 'one')),
      record(call({ token: 'ship_unknown' }, 'nobody')),
      record(call(grace, 'two')),
      record(call(ada, 'three', { url: 'https://ada.example/3' })),
    ])
    expect(outcomes(results)).toEqual(['created', 'unauthorized', 'created', 'created'])
    expect(posters(results)).toEqual([ada.username, null, grace.username, ada.username])
    expect(ids(results)).toEqual(ids(results).toSorted((a, b) => a - b))
    expect(await messages(ada)).toEqual(['one', 'three'])
    expect(await messages(grace)).toEqual(['two'])
  })

  test('with the same key count as one: the first is recorded, equal ones replay it, another payload is refused', async () => {
    const [ada, grace] = [await newPoster(), await newPoster()]
    const record = recorder(db, 0)
    const results = await Promise.all([
      record(call(ada, 'same', { key: 'k' })),
      record(call(ada, 'same', { key: 'k' })),
      record(call(ada, 'other', { key: 'k' })),
      record(call(grace, 'other', { key: 'k' })),
      record(call(ada, 'same')),
    ])
    expect(outcomes(results)).toEqual(['created', 'replayed', 'idempotency_key_reused', 'created', 'created'])
    expect(ids(results)[1]).toBe(ids(results)[0] ?? 0)
    expect(await messages(ada)).toEqual(['same', 'same'])
    const late = await record(call(ada, 'same', { key: 'k' }))
    expect([late.outcome, ids([late])[0]]).toEqual(['replayed', ids(results)[0]])
  })

  test('with the same key are one row of the table, whatever else writes to it', async () => {
    const ada = await newPoster()
    await recorder(db, 0)(call(ada, 'same', { key: 'k' }))
    const again = sql`
      insert into deployments (user_id, message, scopes, idempotency_key, deployed_at)
      select user_id, 'other', scopes, idempotency_key, now() from deployments
      where user_id = ${await userIdOf(db, ada)}`
    await expect(query(db, again)).rejects.toThrow()
    expect(await messages(ada)).toEqual(['same'])
  })

  test('are counted one after the other for the rate limit, each user alone; a replay costs nothing', async () => {
    const [ada, grace] = [await newPoster(), await newPoster()]
    const record = recorder(db, 2)
    const results = await Promise.all([
      record(call(ada, 'one', { key: 'k' })),
      record(call(ada, 'one', { key: 'k' })),
      record(call(grace, 'one')),
      record(call(ada, 'two')),
      record(call(ada, 'three')),
    ])
    expect(outcomes(results)).toEqual(['created', 'replayed', 'created', 'created', 'rate_limited'])
    expect(await messages(ada)).toEqual(['one', 'two'])
  })
})

test('a call that the server refuses fails alone: its neighbours in the batch are recorded', async () => {
  const [ada, grace] = [await newPoster(), await newPoster()]
  const record = recorder(db, 0)
  // Not through the domain, which would refuse it: Postgres cannot store a NUL.
  const results = await Promise.allSettled([
    record(call(ada, 'one')),
    record(call(ada, 'poison\0')),
    record(call(grace, 'two')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await messages(ada)).toEqual(['one'])
  expect(await messages(grace)).toEqual(['two'])
})

test('a batch whose commit fails does not count as recorded', async () => {
  const ada = await newPoster()
  await query(
    db,
    sql`
      create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  )
  await query(
    db,
    sql`
      create constraint trigger refused after insert on deployments deferrable initially deferred
      for each row execute function refuse()`,
  )
  try {
    await expect(recorder(db, 0)(call(ada, 'late'))).rejects.toThrow()
    expect(await messages(ada)).toEqual([])
  } finally {
    await query(db, sql`drop function refuse cascade`)
  }
})

test('a call of a deleted user is unauthorized, and its neighbours in the batch are recorded', async () => {
  const [gone, stays] = [await newPoster(), await newPoster()]
  await deleteUser(db, tables, await userIdOf(db, gone))
  const record = recorder(db, 0)
  const results = await Promise.all([record(call(gone, 'gone')), record(call(stays, 'stays'))])
  expect(outcomes(results)).toEqual(['unauthorized', 'created'])
})

test('recording an announcement counts it as a recount would', async () => {
  const ada = await newPoster()
  const record = recorder(db, 0)
  const links = ['https://a.ada.dev/x/y', 'https://a.ada.dev/x/y/issues/1', 'https://b.ada.dev', undefined]
  for (const url of links) await record(call(ada, 'again', url === undefined ? {} : { url }))
  await Promise.all(links.map((url) => record(call(ada, 'together', url === undefined ? {} : { url }))))
  const userId = await userIdOf(db, ada)
  const recorded = await countedFor(userId)
  for (const table of countedTables) await query(db, sql`delete from ${table} where user_id = ${userId}`)
  const deployments = sql`(select * from deployments where user_id = ${userId})`
  await query(db, counting(deployments))
  expect(recorded.flat().length).toBeGreaterThan(10)
  expect(recorded).toEqual(await countedFor(userId))
})

describe('While another connection', () => {
  test.each([1, 2])('deletes the user, a batch of %p waits, and the user is unauthorized', async (size) => {
    const gone = await newPoster()
    const others = size === 1 ? [] : [await newPoster()]
    const id = await userIdOf(db, gone)
    const record = recorder(db, 0)
    const started = Promise.withResolvers<void>()
    const deletion = db.write((queries) =>
      queries.transaction(async (transaction) => {
        await transaction.delete(users).where(eq(users.id, id))
        started.resolve()
        await Bun.sleep(300)
      }),
    )
    await started.promise
    const batch = [gone, ...others].map((poster) => record(call(poster, 'late')))
    await deletion
    expect(outcomes(await Promise.all(batch))).toEqual([
      'unauthorized',
      ...others.map(() => 'created' as const),
    ])
  })

  test('rolls the token of somebody who announces, nobody waits for it', async () => {
    const [ada, grace] = [await newPoster(), await newPoster()]
    const userId = await userIdOf(db, ada)
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // The roll locks its user, and then waits for the token.
    const holding = db.writeAtLength(async (transaction) => {
      await transaction.execute(sql`select from tokens where user_id = ${userId} for key share`)
      held.resolve()
      await release.promise
    })
    await held.promise
    const rolling = rollToken(db, userId, { keepOld: false })
    await eventually('it waits', async () => {
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await query(db, waiting)).length > 0
    })
    const record = recorder(db, 0)
    const announced = Promise.all([record(call(ada, 'one')), record(call(grace, 'two'))])
    // Whoever waits is refused after two seconds.
    const results = await announced.finally(release.resolve)
    await Promise.all([holding, rolling])
    expect(outcomes(results)).toEqual(['created', 'created'])
  })

  test.each([1, 4])(
    'writes the token of somebody who announces, a batch of %i does not wait',
    async (size) => {
      const all = await Promise.all(Array.from({ length: size }, newPoster))
      const held = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      const holding = db.writeAtLength(async (transaction) => {
        await transaction.execute(
          sql`update tokens set last_used_from = 'reading' where user_id = ${await userIdOf(db, all[0] as Poster)}`,
        )
        held.resolve()
        await release.promise
      })
      await held.promise
      const record = recorder(db, 0)
      const announced = Promise.all(all.map((poster) => record(call(poster, 'one'))))
      // Whoever waits is refused after two seconds.
      const results = await announced.finally(release.resolve)
      await holding
      expect(outcomes(results)).toEqual(all.map(() => 'created' as const))
    },
  )

  test('reads on from the last id that it saw, it misses nothing: ids commit in their order', async () => {
    const poster = await newPoster()
    const userId = await userIdOf(db, poster)
    const recorders = Array.from({ length: 6 }, () => recorder(db, 0))
    let isOver = false
    const seen: number[] = []
    const reading = (async () => {
      for (let isLast = false; !isLast; ) {
        isLast = isOver
        const rows = await query<{ id: number }>(
          db,
          sql`
            select id::int as id from deployments
            where user_id = ${userId} and id > ${seen.at(-1) ?? 0} order by id`,
        )
        seen.push(...rows.map(({ id }) => id))
      }
    })()
    const recorded = await Promise.all(
      recorders.map(async (record) => {
        const results: RecordingOutcome[] = []
        for (let n = 0; n < 50; n += 1) results.push(await record(call(poster, String(n))))
        return ids(results)
      }),
    )
    isOver = true
    await reading
    expect(seen).toHaveLength(300)
    expect(seen).toEqual(recorded.flat().toSorted((a, b) => a - b))
  })
})

type Call = { url?: string; key?: string }

function call({ token }: { token: string }, message: string, { url, key }: Call = {}): Recording {
  return {
    tokenHash: hashSecret(token),
    announcement: { message, url: url ?? null, category: null },
    idempotencyKey: key ?? null,
  }
}

function outcomes(results: readonly RecordingOutcome[]) {
  return results.map(({ outcome }) => outcome)
}

function posters(results: readonly RecordingOutcome[]) {
  return results.map((result) => ('recorded' in result ? result.recorded.poster.username : null))
}

function ids(results: readonly RecordingOutcome[]): number[] {
  return results.flatMap((result) => ('recorded' in result ? [result.recorded.id] : []))
}

async function messages({ username }: Poster): Promise<string[]> {
  const rows = await query<{ message: string }>(
    db,
    sql`
      select message from deployments d join users u on u.id = d.user_id
      where u.username = ${username} order by d.id`,
  )
  return rows.map(({ message }) => message)
}

const countedTables = [latestDeployments, targetScopes, targets, dailyDeployments]

async function countedFor(userId: number): Promise<unknown[][]> {
  const rows = (table: PgTable) =>
    query<{ row: unknown }>(
      db,
      sql`select to_jsonb(t) as row from ${table} t where user_id = ${userId} order by to_jsonb(t)`,
    )
  return (await Promise.all(countedTables.map(rows))).map((found) => found.map(({ row }) => row))
}
