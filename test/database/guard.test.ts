import { describe, expect, test } from 'bun:test'
import type { Queries } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'
import { before, guard } from '../../src/database/guard.ts'

/** The guard hands them on and does nothing with them. */
const queries = {} as Queries

/** A query that fails as the drivers' do, so many times, and how often it was asked. */
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

const guarded = () => guard((work, until) => before(until, work(queries)))

describe('The guard', () => {
  test('gives the answer, and the queries to get it with', async () => {
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
  ])('makes of %s: %s, asked %i times', async (name, kind, times) => {
    const [code = ''] = name.split(':')
    const { work, asked } = failing(code)
    const error = await guarded()(work).catch((error) => error)
    expect([error instanceof Unavailable ? 'unavailable' : 'a fault', asked()]).toEqual([kind, times])
  })

  test('gives the answer where the second try has one', async () => {
    expect(await guarded()(failing('40P01', 1).work)).toBe('answer')
  })

  test('gives up after 2 s, the second try included', async () => {
    const begin = performance.now()
    let asked = 0
    const late = guarded()(async () => {
      asked += 1
      await Bun.sleep(900)
      return failing('40P01').work()
    })
    const results = await Promise.allSettled([guarded()(never), late])
    expect(performance.now() - begin).toBeLessThan(4_000)
    const unavailable = { status: 'rejected', reason: expect.any(Unavailable) }
    expect<unknown>(results).toEqual([unavailable, unavailable])
    expect(asked).toBe(2)
  })

  test('lets 500 wait at once, and refuses one more at once; a place is free again after the deadline', async () => {
    const run = guarded()
    const waiting = Promise.allSettled(Array.from({ length: 500 }, () => run(never)))
    expect(await run(async () => 'answer').catch((error) => error)).toBeInstanceOf(Unavailable)
    await waiting
    expect(await run(async () => 'answer')).toBe('answer')
  })
})
