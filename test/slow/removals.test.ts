import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { parseImportItem } from '../../src/capabilities/import/rules.ts'
import { recordImport } from '../../src/capabilities/import/store.ts'
import { pruneDeployments } from '../../src/capabilities/pruning/store.ts'
import { deleteUser, finishDeletions } from '../../src/data/account/deletion.ts'
import { hashSecret } from '../../src/data/account/tokens.ts'
import { withdrawDeployment } from '../../src/data/deployments.ts'
import { removeImported } from '../../src/data/imported.ts'
import { findMiscounts } from '../../src/data/miscounts.ts'
import { recorder } from '../../src/data/recording.ts'
import { counting } from '../../src/data/statements.ts'
import { rereadLinks } from '../../src/data/upkeep/rereading.ts'
import type { Db } from '../../src/database/db.ts'
import { isOutage } from '../../src/database/errors.ts'
import { lockFeed } from '../../src/database/locks.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { day } from '../../src/domain/time.ts'
import { tables } from '../../src/table-uses.ts'
import { createPostgresDatabase, query } from '../support/database.ts'
import { patience } from '../support/eventually.ts'

/** Each pair runs for so long: all of them for about a minute. */
const seconds = 4

/** An announcement takes some milliseconds alone. */
const longestMs = 300

const urls = [
  'https://github.com/a/one/pull/1',
  'https://github.com/a/two',
  'https://app.example.com/x',
  null,
]

describe('While deployments are removed in two ways, others announce', () => {
  let db: Db
  let drop: () => Promise<void>
  /** All removals are of one user's deployments; once the account is deleted, of the next one's. */
  let subject: Promise<Account>

  beforeAll(async () => {
    const scratch = await createPostgresDatabase()
    drop = scratch.drop
    db = await openPostgres(scratch.url)
    await db.migrated
    subject = makeAccount()
  })
  afterAll(async () => {
    await db.close()
    await drop()
  })

  const removals: Readonly<Record<string, () => Promise<unknown>>> = {
    async withdraw() {
      const { userId } = await subject
      const [row] = await query<{ id: number }>(
        db,
        sql`select id from deployments where user_id = ${userId} order by random() limit 1`,
      )
      await withdrawDeployment(db, { userId, id: row?.id ?? 0 })
    },
    async 'add and remove history'() {
      const { userId } = await subject
      const items = Array.from({ length: 60 }, (_, n) => historyItem(n))
      await recordImport(db, { userId, token: null }, items)
      await removeImported(db, userId)
    },
    async prune() {
      const { userId } = await subject
      await addOld(userId)
      await pruneDeployments(db, { before: new Date(Date.now() - 30 * day), isDryRun: false })
    },
    async 'delete the account'() {
      const { userId } = await subject
      subject = makeAccount()
      await deleteUser(db, tables, userId)
    },
    async 'reread links'() {
      const { userId } = await subject
      // As an older rule might have read them, and counted as that is.
      await query(
        db,
        sql`
            with locked as materialized (select lock_users(array[${userId}::bigint])),
            chosen as materialized (
              select id from locked, deployments where user_id = ${userId} and url is not null order by random() limit 30
            )
            update deployments set target_rule = null where id in (select id from chosen)`,
      )
      await rereadLinks(db)
    },
  }
  const names = Object.keys(removals)
  const pairs = names.flatMap((one, n) => names.slice(n).map((other) => [one, other] as const))

  test.each(pairs)('%s, and %s', async (one, other) => {
    const record = recorder(db, 0)
    const bystander = await makeAccount()
    const deadlocks = await countDeadlocks()
    const end = performance.now() + seconds * 1_000
    const durations: number[] = []
    const refusals: string[] = []
    // A slow machine may need longer for enough of them.
    const isOver = () => performance.now() >= end && durations.length > 50
    const removing = [one, one, other, other].map(async (name) => {
      while (!isOver()) await removals[name]?.().catch(noteOutage)
    })
    const announcing = [0, 1].map(async (isOfSubject) => {
      for (let n = 0; !isOver(); n += 1) {
        const { token } = isOfSubject ? await subject : bystander
        const announcement = { message: `${n}`, url: urls[n % urls.length] ?? null, category: null }
        const begin = performance.now()
        await record({ tokenHash: hashSecret(token), announcement, idempotencyKey: null })
        durations.push(performance.now() - begin)
        await Bun.sleep(5)
      }
    })
    await Promise.all([...removing, ...announcing])
    expect(await countDeadlocks()).toBe(deadlocks)
    // A removal may be refused, because others were before it twice, and is then repeated. A fault fails the test.
    expect(refusals.filter((refusal) => refusal !== '40001')).toEqual([])
    // One may wait for a busy machine, but no longer than its deadline of 2 s, which would fail the test.
    const usual = durations.toSorted((a, b) => a - b)[Math.floor(durations.length * 0.95)]
    expect(usual).toBeLessThan(patience(longestMs))
    await finishDeletions(db, tables)
    expect(Array.from(await db.readPrimary(findMiscounts))).toEqual([])

    function noteOutage(error: unknown): void {
      if (!isOutage(error)) throw error
      const cause = error instanceof Error ? (error.cause as { cause?: { code?: string } }) : null
      refusals.push(String(cause?.cause?.code ?? error))
    }
  })

  type Account = { readonly userId: number; readonly token: string }

  async function makeAccount(): Promise<Account> {
    const token = crypto.randomUUID()
    const [user] = await query<{ id: number }>(
      db,
      sql`
          with made as (
            insert into users (username, name, password_hash) values (${`u${token.slice(0, 8)}`}, 'U', 'x') returning id
          )
          insert into tokens (hash, user_id, last_four) select ${hashSecret(token)}, id, 'abcd' from made
          returning user_id as id`,
    )
    const userId = user?.id ?? 0
    await addOld(userId)
    return { userId, token }
  }

  /** Deployments that pruning deletes, and one that it keeps. */
  async function addOld(userId: number): Promise<void> {
    const insert = sql`
          with made as (
            insert into deployments (user_id, message, url, scopes, target, target_rule, deployed_at)
            select ${userId}, 'Old', 'https://old.example/p' || n % 3, array['', 'old.example', 'old.example/p' || n % 3],
              'old.example/p' || n % 3, 3, now() - interval '60 days' + n * interval '1 second'
            from generate_series(1, 150) n where exists (select from users where id = ${userId})
            returning id, user_id, deployed_at
          )
          ${counting(sql`made`)}`
    await db.write((queries) =>
      queries.transaction(async (transaction) => {
        await transaction.execute(sql`select lock_users(array[${userId}::bigint])`)
        await lockFeed(transaction)
        await transaction.execute(insert)
      }),
    )
  }

  function historyItem(n: number) {
    const url = urls[n % urls.length] ?? ''
    const deployed_at = new Date(Date.UTC(2020, 0, 1, 0, 0, n)).toJSON()
    const read = parseImportItem({ message: 'H', key: `${n}`, url, deployed_at }, { now: new Date() })
    if (read.outcome === 'invalid') throw new Error(JSON.stringify(read.reasons))
    return read.item
  }

  async function countDeadlocks(): Promise<number> {
    const [row] = await query<{ deadlocks: number }>(
      db,
      sql`select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`,
    )
    return row?.deadlocks ?? Number.NaN
  }
})
