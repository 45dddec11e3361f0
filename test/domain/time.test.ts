import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  ageChangesAt,
  ageInWords,
  shortAge,
  startOfDay,
  timestampOf,
  utcDayOf,
  waitInWords,
} from '../../src/domain/time.ts'

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

  test('anything in the future is just now', () => {
    expect(ageInWords(new Date(now.getTime() + 1), now)).toBe('just now')
    expect(ageInWords(new Date(now.getTime() + 2 * year), now)).toBe('just now')
  })

  test('it changes at the announced instant, and not before', () => {
    fc.assert(
      fc.property(fc.integer({ min: -day, max: 200 * year }), (age) => {
        const then = new Date(now.getTime() - age)
        const change = ageChangesAt(then, now)
        expect(ageInWords(then, new Date(change.getTime() - 1))).toBe(ageInWords(then, now))
        expect(ageInWords(then, change)).not.toBe(ageInWords(then, now))
      }),
    )
  })

  test('any age is a whole number of 1 or more with its unit, in the plural unless it is 1', () => {
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

test('a short age has the same numbers with abbreviated units', () => {
  const signs = { minute: 'min', hour: 'h', day: 'd', month: 'mo', year: 'y' }
  for (const [age, words] of ages) {
    const short = words.replace(
      /(minute|hour|day|month|year)s?/,
      (unit) => signs[unit.replace(/s$/, '') as 'day'],
    )
    expect(shortAge(new Date(now.getTime() - age), now)).toBe(short)
  }
  expect(shortAge(new Date(now.getTime() + year), now)).toBe('just now')
})

describe('timestamp', () => {
  test.each([
    ['2025-11-21T06:49:07.000Z', '2025-11-21T06:49:07Z'],
    ['2025-11-21T06:49:07.001Z', '2025-11-21T06:49:07Z'],
    ['2025-12-31T23:59:59.999Z', '2025-12-31T23:59:59Z'],
    ['2025-11-21T06:49:07.500+02:00', '2025-11-21T04:49:07Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59Z'],
  ])('%s is written %s', (instant, written) => {
    expect(timestampOf(new Date(instant))).toBe(written)
  })

  test('parses as the second that had begun', () => {
    const instants = fc.date({
      min: new Date('1900-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, (instant) => {
        const written = timestampOf(instant)
        expect(written).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
        expect(Date.parse(written)).toBe(Math.floor(instant.getTime() / 1000) * 1000)
      }),
    )
  })
})

describe('a wait', () => {
  test.each([
    [0, '1 minute'],
    [1, '1 minute'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [3_600, '60 minutes'],
    [5_400, '90 minutes'],
    [5_401, '2 hours'],
    [7_200, '2 hours'],
    [7_201, '3 hours'],
    [86_400, '24 hours'],
  ])('%d seconds are %s', (seconds, words) => {
    expect(waitInWords(seconds)).toBe(words)
  })

  test('is never shown as shorter than it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200_000 }), (seconds) => {
        const [count, unit = ''] = waitInWords(seconds).split(' ')
        expect(Number(count) * (unit.startsWith('hour') ? 3_600 : 60)).toBeGreaterThanOrEqual(seconds)
      }),
    )
  })
})

test('a day begins at midnight UTC', () => {
  const midnight = Date.UTC(2026, 2, 12)
  const day = utcDayOf(new Date(midnight))
  expect(utcDayOf(new Date(midnight - 1))).toBe(day - 1)
  expect(utcDayOf(new Date(midnight + 86_399_999))).toBe(day)
  expect(startOfDay(day)).toEqual(new Date(midnight))
})
