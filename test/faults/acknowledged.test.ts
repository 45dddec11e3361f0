import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rowsOf } from '../../src/database/db.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import type { FaultProxy } from '../support/postgres/fault-proxy.ts'
import { type FaultyService, startFaultyService } from '../support/postgres/faulty-service.ts'

/** Fails for a while, and until an announcement was refused, however slow the machine is. */
type Fail = (proxy: FaultProxy, refusal: () => Promise<void>) => Promise<void>

const faults: readonly (readonly [name: string, fail: Fail])[] = [
  [
    'cuts and refuses',
    async (proxy, refusal) => {
      await proxy.close()
      await Bun.sleep(500)
      await refusal()
      await proxy.open()
    },
  ],
  [
    'loses the answers to commits',
    async (proxy, refusal) => {
      proxy.set('cut-at-commit')
      await Bun.sleep(500)
      await refusal()
      proxy.set('forward')
    },
  ],
  [
    'falls silent and forgets',
    async (proxy) => {
      proxy.set('silent')
      // What hangs now is refused later.
      await Bun.sleep(1_000)
      proxy.forget()
      proxy.set('forward')
    },
  ],
]

describe('While Postgres …', () => {
  let faulty: FaultyService
  let poster: Poster
  beforeAll(async () => {
    faulty = await startFaultyService()
    poster = await signUpPoster(faulty.service)
  })
  afterAll(() => faulty.close())

  test.each(faults)(
    '%s, no acknowledged announcement is lost, and a retry makes no second one',
    async (name, fail) => {
      const sent = new Set<string>()
      const acknowledged = new Map<string, number>()
      let refused = 0
      let isOver = false
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; !isOver; n += 1) {
          const key = `${name.replaceAll(' ', '-')}:${writer}:${n}`
          sent.add(key)
          const id = await announce(key)
          if (id !== null) acknowledged.set(key, id)
          else {
            // What was not acknowledged is retried later, one key after the other.
            refused += 1
            await Bun.sleep(20)
          }
        }
      })
      await Bun.sleep(200)
      await eventually('one is acknowledged', () => acknowledged.size > 0)
      await fail(faulty.proxy, () => eventually('one is refused', () => refused > 0))
      await untilReady(faulty.service)
      isOver = true
      await Promise.all(writers)

      const unknown = [...sent].filter((key) => !acknowledged.has(key))
      expect(acknowledged.size).toBeGreaterThan(0)
      expect(unknown.length).toBeGreaterThan(0)

      const stored = await storedIds()
      for (const [key, id] of acknowledged) expect(stored.get(key)).toEqual([id])
      for (const key of unknown) {
        const [before, ...others] = stored.get(key) ?? []
        expect(others).toEqual([])
        expect(await announce(key)).toEqual(before ?? expect.any(Number))
      }
      const inTheEnd = await storedIds()
      for (const key of sent) expect(inTheEnd.get(key)).toHaveLength(1)
    },
  )

  test('a commit whose answer is lost is replayed with its id by the same key', async () => {
    faulty.proxy.set('cut-at-commit')
    expect(await announce('lost-answer')).toBeNull()
    faulty.proxy.set('forward')
    const [stored, ...others] = (await storedIds()).get('lost-answer') ?? []
    expect(others).toEqual([])
    const response = await poster.announce({ message: 'lost-answer' }, { 'Idempotency-Key': 'lost-answer' })
    expect(response.status).toBe(201)
    expect(response.headers.get('idempotent-replayed')).toBe('true')
    expect(((await response.json()) as { id: number }).id).toBe(stored ?? 0)
  })

  /** The acknowledged id, or null if the answer was "unavailable"; no other answer may come. */
  async function announce(key: string): Promise<number | null> {
    const response = await poster.announce({ message: key }, { 'Idempotency-Key': key })
    const body = (await response.json()) as { id: number }
    if (response.status === 503) return null
    expect(response.status).toBe(201)
    return body.id
  }

  async function storedIds(): Promise<Map<string, number[]>> {
    const rows = await faulty.service.db.write((queries) =>
      rowsOf<{ key: string; ids: number[] }>(
        queries,
        sql`select message as key, jsonb_agg(id) as ids from deployments group by message`,
      ),
    )
    return new Map(rows.map(({ key, ids }) => [key, ids]))
  }
})
