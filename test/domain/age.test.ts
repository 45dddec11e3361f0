import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ageInWords } from '../../src/domain/age.ts'

const now = new Date('2025-11-21T06:49:00Z')
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365.2425 * day
const month = year / 12

const ages: [number, string][] = [
  [0, 'just now'],
  [minute - 1, 'just now'],
  [minute, '1 minute ago'],
  [2 * minute - 1, '1 minute ago'],
  [2 * minute, '2 minutes ago'],
  [38 * minute + 59 * second, '38 minutes ago'],
  [hour - 1, '59 minutes ago'],
  [hour, '1 hour ago'],
  [2 * hour - 1, '1 hour ago'],
  [3 * hour, '3 hours ago'],
  [day - 1, '23 hours ago'],
  [day, '1 day ago'],
  [2 * day - 1, '1 day ago'],
  [12 * day + 23 * hour, '12 days ago'],
  [30 * day, '30 days ago'],
  [month - 1, '30 days ago'],
  [month, '1 month ago'],
  [31 * day, '1 month ago'],
  [3 * month, '3 months ago'],
  [year - 1, '11 months ago'],
  [year, '1 year ago'],
  [2 * year - 1, '1 year ago'],
  [2 * year, '2 years ago'],
]

describe('age in words', () => {
  test.each(ages)('%d ms is "%s"', (age, words) => {
    expect(ageInWords(new Date(now.getTime() - age), now)).toBe(words)
  })

  test('anything ahead of the clock is just now', () => {
    expect(ageInWords(new Date(now.getTime() + 1), now)).toBe('just now')
    expect(ageInWords(new Date(now.getTime() + 2 * year), now)).toBe('just now')
  })

  test('whatever the age, it is a whole count from 1 and its unit, plural when it is not 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: minute, max: 200 * year }), (age) => {
        const words = ageInWords(new Date(now.getTime() - age), now)
        expect(words).toMatch(
          /^(1 (minute|hour|day|month|year)|([2-9]|[1-9]\d+) (minute|hour|day|month|year)s) ago$/,
        )
      }),
    )
  })
})
