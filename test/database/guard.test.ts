import { describe, expect, test } from 'bun:test'
import type { Queries } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'
import { guard } from '../../src/database/guard.ts'

/** The guard hands them on and does nothing with them. */
const pool = () => ({}) as Queries

/** A guard whose pool is replaced whenever it calls it no good, and how often that was. */
function guardOfPools() {
  let current = pool()
  let replaced = 0
  const run = guard(
    () => current,
    () => {
      replaced += 1
      current = pool()
    },
  )
  return { run, replaced: () => replaced }
}

/** A query that fails as the drivers' do. */
const failing = (code: string) => () =>
  Promise.reject(new Error('from drizzle', { cause: Object.assign(new Error('from the driver'), { code }) }))

const never = () => new Promise<never>(() => {})

describe('The guard', () => {
  test('gives the answer, and the queries to get it with', async () => {
    const queries = pool()
    const run = guard(() => queries)
    expect(await run(async (given) => given === queries)).toBe(true)
  })

  test.each([
    ['ECONNREFUSED', true],
    ['CONNECTION_DESTROYED', true],
    ['53300', true],
    ['57014', true],
    ['08006', true],
    ['23505', false],
    ['22021', false],
    ['42601', false],
  ])('turns %s into Unavailable: %p', async (code, isUnavailable) => {
    const run = guard(pool)
    const error = await run(failing(code)).catch((error) => error)
    expect(error instanceof Unavailable).toBe(isUnavailable)
  })

  test('gives up after 2 s, then says that the pool is silent, once for each pool', async () => {
    const { run, replaced } = guardOfPools()
    const begin = performance.now()
    const results = await Promise.allSettled([run(never), run(never), run(never)])
    expect(performance.now() - begin).toBeLessThan(4_000)
    for (const result of results) {
      expect(result).toEqual({ status: 'rejected', reason: expect.any(Unavailable) })
    }
    expect(replaced()).toBe(1)
  })

  test.each([
    ['CONNECTION_CLOSED', 1],
    ['ECONNRESET', 1],
    ['57P01', 1],
    ['ECONNREFUSED', 0],
    ['53300', 0],
    ['57014', 0],
  ])('%s makes it call a pool lost so many times: %i', async (code, times) => {
    const { run, replaced } = guardOfPools()
    const fail = failing(code)
    await Promise.allSettled([run(fail), run(fail), run(fail)])
    expect(replaced()).toBe(times)
  })

  test.each([
    ['answered', () => Promise.resolve()],
    ['refused', () => Promise.reject(new Error('syntax'))],
  ])('does not call a pool silent that %s another query meanwhile', async (_, other) => {
    const { run, replaced } = guardOfPools()
    const hanging = run(never)
    await Promise.allSettled([run(other)])
    expect(await hanging.catch((error) => error)).toBeInstanceOf(Unavailable)
    expect(replaced()).toBe(0)
  })

  test('lets 500 wait at once, and refuses one more at once; a place is free again after the deadline', async () => {
    const run = guard(pool)
    const waiting = Promise.allSettled(Array.from({ length: 500 }, () => run(never)))
    expect(await run(async () => 'answer').catch((error) => error)).toBeInstanceOf(Unavailable)
    await waiting
    expect(await run(async () => 'answer')).toBe('answer')
  })
})
