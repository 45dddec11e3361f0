import { describe, expect, test } from 'bun:test'
import { type Freshness, freshnessOf } from '../../src/domain/freshness.ts'

const now = new Date('2025-11-21T06:49:00Z')
const second = 1000
const hour = 60 * 60 * second
const day = 24 * hour

const bounds: [string, number, Freshness, Freshness][] = [
  ['3 hours', 3 * hour, 'Fresh', 'Warm'],
  ['24 hours', 24 * hour, 'Warm', 'Active'],
  ['7 days', 7 * day, 'Active', 'Quiet'],
  ['30 days', 30 * day, 'Quiet', 'Stale'],
]

describe('freshness', () => {
  for (const [bound, age, within, beyond] of bounds) {
    test(`exactly ${bound} is ${within}, as is a millisecond or a second less`, () => {
      expect(freshnessAt(age)).toBe(within)
      expect(freshnessAt(age - 1)).toBe(within)
      expect(freshnessAt(age - second)).toBe(within)
    })

    test(`a millisecond or a second more than ${bound} is ${beyond}`, () => {
      expect(freshnessAt(age + 1)).toBe(beyond)
      expect(freshnessAt(age + second)).toBe(beyond)
    })
  }

  test('a deployment at this instant is Fresh', () => {
    expect(freshnessAt(0)).toBe('Fresh')
  })

  test('a deployment in the future is Fresh, however far', () => {
    expect(freshnessAt(-1)).toBe('Fresh')
    expect(freshnessAt(-365 * day)).toBe('Fresh')
  })

  test('a deployment years ago is Stale, never Inactive', () => {
    expect(freshnessAt(10 * 365 * day)).toBe('Stale')
    expect(freshnessOf(new Date(0), now)).toBe('Stale')
  })

  test('no deployment is Inactive', () => {
    expect(freshnessOf(null, now)).toBe('Inactive')
  })
})

function freshnessAt(age: number): Freshness {
  return freshnessOf(new Date(now.getTime() - age), now)
}
