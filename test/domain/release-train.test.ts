import { describe, expect, test } from 'bun:test'
import { leadTimeOf, legTo, stopsOf, trainsOf } from '../../src/domain/feed/release-train.ts'
import { hour } from '../../src/domain/time.ts'

type Named = { version?: string; commit?: string; environment?: string; at?: number }

/** Given as they were announced, the oldest first. */
const announced = (...all: readonly Named[]) =>
  all.map(({ at, ...one }, n) => ({ id: n + 1, deployedAt: new Date((at ?? n) * hour), ...one })).toReversed()

const idsOf = (...all: readonly Named[]) =>
  trainsOf(announced(...all)).map(({ deployments }) => deployments.map(({ id }) => id))

const [a, b] = ['a'.repeat(40), 'b'.repeat(40)]

describe('deployments of one project are one release', () => {
  test('if they have the same version or the same commit, however long it is written', () => {
    expect(idsOf({ version: 'v1' }, { version: 'v2' }, { version: 'v1' })).toEqual([[2], [1, 3]])
    expect(
      idsOf({ commit: a.slice(0, 7) }, { commit: b }, { commit: a.toUpperCase() }, { commit: b }),
    ).toEqual([
      [2, 4],
      [1, 3],
    ])
    expect(idsOf({ commit: 'aaaaaaa1' }, { commit: 'aaaaaaa2' }, { commit: 'aaaaaaa1' })).toEqual([
      [2],
      [1, 3],
    ])
  })

  test('by the commit where both have one, and else by the version', () => {
    expect(idsOf({ commit: a, version: 'v1' }, { commit: b, version: 'v1' })).toEqual([[2], [1]])
    expect(idsOf({ commit: a, version: 'v1' }, { commit: a, version: 'v1-rc' })).toEqual([[1, 2]])
    expect(idsOf({ version: 'v1' }, { commit: a, version: 'v1' }, { commit: a })).toEqual([[1, 2, 3]])
  })

  test('and one that is the same as two belongs to the later of them, and does not join them', () => {
    expect(idsOf({ commit: a, version: 'v1' }, { commit: b, version: 'v1' }, { version: 'v1' })).toEqual([
      [2, 3],
      [1],
    ])
    expect(idsOf({ version: 'v1' }, { commit: a, version: 'v1' }, { commit: b, version: 'v1' })).toEqual([
      [3],
      [1, 2],
    ])
  })

  test('but not if they have neither', () => {
    expect(idsOf({}, { version: 'v1' }, {})).toEqual([[2]])
  })

  test('in a time that grows with their number', () => {
    const alike = (many: number) =>
      announced(
        ...Array.from({ length: many }, (_, n) => ({
          commit: `abcdef0${n.toString(16).padStart(33, '0')}`,
          version: `v${n}`,
        })),
      )
    const timeOf = (many: number) => {
      const all = alike(many)
      const before = performance.now()
      expect(trainsOf(all)).toHaveLength(many)
      return performance.now() - before
    }
    timeOf(2_000)
    expect(timeOf(40_000)).toBeLessThan(2_000)
  })
})

describe('a release', () => {
  const [train] = trainsOf(
    announced(
      { version: 'v1', at: 0 },
      { version: 'v1', environment: 'production', at: 9 },
      { version: 'v1', environment: 'Dev', at: 10 },
      { version: 'v1', environment: 'staging', at: 14 },
      { version: 'v1', environment: 'dev', at: 15 },
      { version: 'v1', environment: 'prod-eu', at: 40 },
      { version: 'v1', environment: 'demo', at: 41 },
    ),
  )
  if (train === undefined) throw new Error('no release')

  test('stops at each environment once, in the order of a board', () => {
    const stops = stopsOf(train, null).map(({ environment, first, latest }) => [
      environment,
      first.id,
      latest.id,
    ])
    expect(stops).toEqual([
      [null, 1, 1],
      ['Dev', 3, 5],
      ['staging', 4, 4],
      ['production', 2, 2],
      ['prod-eu', 6, 6],
      ['demo', 7, 7],
    ])
  })

  test('took a time to each stop, unless it was there before the one before', () => {
    const stops = stopsOf(train, null)
    const legs = stops.map((_, n) => legTo(stops, n)).map((leg) => leg && leg / hour)
    expect(legs).toEqual([null, 10, 4, null, 31, 1])
  })

  test('has a lead time from its first deployment to the first at the last stage', () => {
    expect(leadTimeOf(train, null)?.duration).toBe(9 * hour)
    expect(leadTimeOf(train, null)?.to.id).toBe(2)
    const [direct] = trainsOf(
      announced({ version: 'v1', environment: 'live' }, { version: 'v1', environment: 'prod' }),
    )
    const [early] = trainsOf(
      announced({ version: 'v1', environment: 'dev' }, { version: 'v1', environment: 'staging' }),
    )
    expect([direct, early].map((one) => one && leadTimeOf(one, null))).toEqual([null, null])
  })
})
