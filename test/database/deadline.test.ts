import { describe, expect, test } from 'bun:test'
import type { Queries } from '../../src/database/db.ts'
import { guard, settleBy } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'
import { patience } from '../support/eventually.ts'

/** The guard only hands these on. */
const queries = {} as Queries

/** A query that fails this number of times, with an error like the drivers', and how often it was asked. */
function failing(code: string, times = Number.POSITIVE_INFINITY) {
  let asked = 0
  const work = async () => {
    asked += 1
    if (asked > times) return 'answer'
    throw new Error('from drizzle', { cause: Object.assign(new Error('from the driver'), { code }) })
  }
  return { work, asked: () => asked }
}

const never = () => new Promise<never>(() => {})

const guarded = () => guard((work, until) => settleBy(until, work(queries)))

describe('The guard', () => {
  test('passes the queries on, and returns the answer', async () => {
    expect(await guarded()(async (given) => given === queries)).toBe(true)
  })

  test.each([
    ['ECONNREFUSED', 'unavailable', 1],
    ['CONNECTION_DESTROYED', 'unavailable', 1],
    ['53300: too many connections', 'unavailable', 1],
    ['57P03: starting up', 'unavailable', 1],
    ['08006', 'unavailable', 1],
    ['3D000: renamed', 'unavailable', 1],
    ['55000: accepts no connections', 'unavailable', 1],
    ['28P01: another password', 'unavailable', 1],
    ['25006: read-only', 'unavailable', 2],
    ['55P03: lock timeout', 'unavailable', 2],
    ['57014: statement timeout', 'unavailable', 2],
    ['40001: serialization', 'unavailable', 2],
    ['40P01: deadlock', 'unavailable', 2],
    ['23505', 'a fault', 1],
    ['22021', 'a fault', 1],
    ['42601', 'a fault', 1],
  ])('turns %s into %s, after %i attempts', async (name, kind, times) => {
    const [code = ''] = name.split(':')
    const { work, asked } = failing(code)
    const error = await guarded()(work).catch((error) => error)
    expect([error instanceof Unavailable ? 'unavailable' : 'a fault', asked()]).toEqual([kind, times])
  })

  test('returns the answer of a second attempt', async () => {
    expect(await guarded()(failing('40P01', 1).work)).toBe('answer')
  })

  test('gives up after 2 s, including the second attempt', async () => {
    const begin = performance.now()
    let asked = 0
    const late = guarded()(async () => {
      asked += 1
      await (asked === 1 ? Bun.sleep(100) : never())
      return failing('40P01').work()
    })
    const results = await Promise.allSettled([guarded()(never), late])
    expect(performance.now() - begin).toBeLessThan(patience(4_000))
    const unavailable = { status: 'rejected', reason: expect.any(Unavailable) }
    expect<unknown>(results).toEqual([unavailable, unavailable])
    expect(asked).toBe(2)
  })

  test.each([
    ['reserved', 500, 'shared'],
    ['shared', 300, 'reserved'],
  ] as const)(
    'lets callers of the %s lane wait, at most %i, and still answers those of the %s lane',
    async (lane, most, other) => {
      const run = guarded()
      const waiting = Promise.allSettled(Array.from({ length: most }, () => run(never, lane)))
      expect(await run(async () => 'answer', lane).catch((error) => error)).toBeInstanceOf(Unavailable)
      expect(await run(async () => 'answer', other)).toBe('answer')
      await waiting
      // A place is free again after the deadline.
      expect(await run(async () => 'answer', lane)).toBe('answer')
    },
  )
})
