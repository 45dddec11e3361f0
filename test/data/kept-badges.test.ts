import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { deleteUser } from '../../src/data/account/deletion.ts'
import { hashSecret } from '../../src/data/account/tokens.ts'
import { type BadgeQuestion, type BadgeReader, badgeReader } from '../../src/data/badges.ts'
import { withdrawDeployment } from '../../src/data/deployments.ts'
import { recorder } from '../../src/data/recording.ts'
import { pruneDeployments } from '../../src/data/upkeep/deployment-pruning.ts'
import { type Db, rowsOf } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'
import { openTestDatabase, query } from '../support/database.ts'

let db: Db
let record: ReturnType<typeof recorder>
let badges: BadgeReader
beforeAll(async () => {
  db = await openTestDatabase()
  record = recorder(db, 0)
  badges = badgeReader(db)
})
afterAll(() => db.close())

const engine = { scope: 'github.com/ada/engine', url: 'https://github.com/ada/engine' }
const asked = [
  { scope: '' },
  { scope: engine.scope },
  { scope: '', environment: 'production' },
  { scope: engine.scope, environment: 'production' },
]

/** The ways in which data change: writes that say what they change, writes that do not, and writes by hand. */
const acts = [
  'announce',
  'announce',
  'announce',
  'withdraw',
  'prune',
  'delete',
  'rename',
  'move',
  'fail',
] as const
const someActs = fc.array(fc.constantFrom(...acts), { minLength: 10, maxLength: 25 })

/** What a badge must show according to the tables, for each question in turn. */
type State = readonly string[]

class Writer {
  readonly username: string
  /** The states so far; the first is that before any act. */
  readonly states: State[] = []
  begun = 0
  private userId = 0
  private readonly ids: number[] = []
  private readonly tokenHash = hashSecret(crypto.randomUUID())

  constructor(n: number) {
    this.username = `writer${n}-${crypto.randomUUID().slice(0, 8)}`
  }

  async perform(act: (typeof acts)[number]): Promise<void> {
    if (act === 'delete') {
      await this.change(() => deleteUser(db, this.userId))
      await Bun.sleep(2)
      await this.change(() => this.signUp())
    } else await this.change(() => this[act]())
  }

  /** Writes by hand and at length, and takes a deleted username again, which the service itself refuses. */
  async signUp(): Promise<void> {
    await db.runAtLength(async (queries) => {
      await queries.execute(sql`delete from retired_usernames where username like ${`${this.username}%`}`)
      const [user] = await rowsOf<{ id: string }>(
        queries,
        sql`insert into users (username, name, password_hash) values (${this.username}, 'W', 'x') returning id`,
      )
      this.userId = Number(user?.id)
      await queries.execute(
        sql`insert into tokens (hash, user_id, last_four) values (${this.tokenHash}, ${this.userId}, 'abcd')`,
      )
    })
    this.ids.length = 0
  }

  /** Runs a write and notes the state after it; writes do not overlap, so each state follows from the one before. */
  async change(write: () => Promise<unknown>): Promise<void> {
    this.begun += 1
    await write()
    this.states.push(await this.stateInTables())
  }

  private async announce(): Promise<void> {
    const n = this.begun
    const url = n % 3 === 0 ? null : engine.url
    const environment = n % 2 === 0 ? 'production' : undefined
    const announcement = { message: 'it', url, category: null, environment }
    const result = await record({ tokenHash: this.tokenHash, announcement, idempotencyKey: null })
    if (result.outcome === 'created') this.ids.push(result.recorded.id)
  }

  private async withdraw(): Promise<void> {
    const id = this.ids.pop()
    if (id !== undefined) await withdrawDeployment(db, { userId: this.userId, id })
  }

  /** Makes all a day older first, since nothing of a day is pruned before its end. */
  private async prune(): Promise<void> {
    await query(
      db,
      sql`
        with aged as (
          update deployments set deployed_at = deployed_at - interval '1 day' where user_id = ${this.userId}
        )
        update latest_deployments set deployed_at = deployed_at - interval '1 day' where user_id = ${this.userId}`,
    )
    await pruneDeployments(db, { before: new Date(), isDryRun: false })
  }

  /** Takes the username away, or gives it back. */
  private async rename(): Promise<void> {
    const name = this.begun % 2 === 0 ? this.username : `${this.username}x`
    await query(db, sql`update users set username = ${name} where id = ${this.userId}`)
  }

  private async move(): Promise<void> {
    await query(db, sql`update deployments set environment = 'staging' where user_id = ${this.userId}`)
  }

  /** What was written before the error stays, because no transaction holds the work together. */
  private async fail(): Promise<void> {
    const write = db.run(async (queries) => {
      await queries.execute(
        sql`update deployments set environment = 'production' where user_id = ${this.userId}`,
      )
      throw new Error('the second half')
    })
    await write.catch(() => {})
  }

  private async stateInTables(): Promise<State> {
    // Not by query(), after which every kept answer would be forgotten.
    const rows = await db.read((queries) =>
      rowsOf<{ shown: string }>(
        queries,
        sql`
        select case when u.id is null then 'unknown' else coalesce(
          (select floor(extract(epoch from max(deployed_at)) * 1000)::text from deployments d
            where d.user_id = u.id and (q.scope = '' or q.scope = any(d.scopes))
              and (q.environment is null or q.environment = lower(d.environment))),
          'none') end as shown
        from rows from (json_to_recordset(${JSON.stringify(asked)}::json) as (scope text, environment text))
          with ordinality as q(scope, environment, n)
        left join users u on u.username = ${this.username} order by n`,
      ),
    )
    return rows.map(({ shown }) => shown)
  }
}

/** What a reader saw, and the states that it may have seen. */
type Observation = { readonly seen: string; readonly from: number; readonly to: number }

test('a badge shows what was written before it was asked for, whatever changes the data at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(someActs, someActs, async (...programs) => {
      let isOver = false
      const watch = async (writer: Writer, n: number) => {
        const question: BadgeQuestion = { username: writer.username, ...(asked[n] as (typeof asked)[number]) }
        const observations: Observation[] = []
        while (!isOver) {
          const from = writer.states.length - 1
          const seen = await (n % 2 === 0
            ? badges.latest(question).then(shown, orGivenUp)
            : badges.release(question).then(shown, orGivenUp))
          if (seen !== null) observations.push({ seen, from, to: writer.begun - 1 })
          // Answers from memory alone would leave this process no time for other work.
          await Bun.sleep(0)
        }
        const strange = ({ seen, from, to }: Observation) =>
          !writer.states.slice(from, to + 1).some((state) => state[n] === seen)
        return observations.filter(strange)
      }
      const work = async (writer: Writer, program: readonly (typeof acts)[number][]) => {
        for (const act of program) {
          await writer.perform(act)
          // Without a pause, a write is nearly always under way, and no answer is kept.
          await Bun.sleep(2)
        }
      }
      const writers = programs.map((_, n) => new Writer(n))
      for (const writer of writers) await writer.change(() => writer.signUp())
      const watching = writers.flatMap((writer) =>
        asked.flatMap((_, n) => [watch(writer, n), watch(writer, n)]),
      )
      await Promise.all(writers.map((writer, n) => work(writer, programs[n] ?? [])))
      isOver = true
      expect((await Promise.all(watching)).flat()).toEqual([])
    }),
    { numRuns: 15, endOnFailure: true },
  )
})

function shown({ isKnown, latest }: { isKnown: boolean; latest: Date | null }): string {
  if (!isKnown) return 'unknown'
  return latest === null ? 'none' : String(latest.getTime())
}

/** On a busy machine a read may be given up after 2 s. Then there is no answer that could be stale. */
function orGivenUp(error: unknown): null {
  if (error instanceof Unavailable) return null
  throw error
}
