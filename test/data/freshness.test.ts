import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { hashSecret } from '../../src/data/account/tokens.ts'
import { latestDeploymentReader } from '../../src/data/badges/latest.ts'
import { withdrawDeployment } from '../../src/data/deployments.ts'
import { listDeployments } from '../../src/data/feed-pages.ts'
import { recorder } from '../../src/data/recording.ts'
import { share } from '../../src/database/batch.ts'
import type { Db } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'
import { wholeFeed } from '../../src/domain/feed/feed.ts'
import { openTestDatabase, query } from '../support/database.ts'

let db: Db
let userId: number
const tokenHash = hashSecret('a token of this test')
const everything = { username: 'racer', scope: '' }

beforeAll(async () => {
  db = await openTestDatabase()
  const [user] = await query<{ id: string }>(
    db,
    sql`insert into users (username, name, password_hash) values ('racer', 'Racer', 'x') returning id`,
  )
  userId = Number(user?.id)
  await query(db, sql`insert into tokens (hash, user_id, last_four) values (${tokenHash}, ${userId}, 'abcd')`)
})

afterAll(() => db.close())

/** What a racing writer does, one step after the other. */
const writes = fc.array(fc.constantFrom('announce', 'announce', 'withdraw'), { minLength: 5, maxLength: 20 })

/** What a reader saw, and the first state that it may have seen: the last one acknowledged when it asked. */
type Observation = { readonly seen: number | null; readonly from: number; readonly to: number }

/**
 * The model is a list of states, one for each write: the newest id, or null. A reader must see the state that was
 * acknowledged when it asked, or a later one, and never an earlier one.
 */
test('every coalesced answer was read after its question was asked, whatever a writer does at the same time', async () => {
  const record = recorder(db, 0)
  const readBadge = latestDeploymentReader(db)
  const readPage = share(() => listDeployments(db, { ...wholeFeed, userId, before: null }))

  await fc.assert(
    fc.asyncProperty(writes, async (acts) => {
      await query(db, sql`delete from latest_deployments where user_id = ${userId}`)
      await query(db, sql`delete from deployments where user_id = ${userId}`)
      const states: (number | null)[] = [null]
      const ids: number[] = []
      let begun = 0
      let isOver = false

      const watch = async (read: () => Promise<number | null>) => {
        const observations: Observation[] = []
        while (!isOver) {
          const from = states.length - 1
          // On a busy machine a read may be given up after 2 s. Then there is no answer that could be stale.
          const answer = await read().then((seen) => ({ seen }), orGivenUp)
          if (answer !== null) observations.push({ ...answer, from, to: begun })
        }
        return observations
      }
      const pages = Array.from({ length: 6 }, () =>
        watch(async () => (await readPage(null)).deployments[0]?.id ?? null),
      )
      const badges = Array.from({ length: 6 }, () =>
        watch(async () => ((await readBadge(everything)).latest === null ? null : 1)),
      )
      for (const act of acts) {
        begun += 1
        if (act === 'announce') ids.push(await announce())
        else await withdraw(ids.pop())
        states.push(ids.at(-1) ?? null)
      }
      isOver = true

      const couldSee = ({ from, to }: Observation) => states.slice(from, to + 1)
      for (const observation of (await Promise.all(pages)).flat()) {
        expect(couldSee(observation)).toContain(observation.seen)
      }
      for (const observation of (await Promise.all(badges)).flat()) {
        const isThere = couldSee(observation).map((state) => state !== null)
        expect(isThere).toContain(observation.seen !== null)
      }
    }),
    { numRuns: 20 },
  )

  async function announce(): Promise<number> {
    const announcement = { message: 'it', url: null, category: null }
    const result = await record({ tokenHash, announcement, idempotencyKey: null })
    if (result.outcome !== 'created') throw new Error(result.outcome)
    return result.recorded.id
  }

  async function withdraw(id: number | undefined): Promise<void> {
    if (id !== undefined) await withdrawDeployment(db, { userId, id })
  }
})

function orGivenUp(error: unknown): null {
  if (error instanceof Unavailable) return null
  throw error
}
