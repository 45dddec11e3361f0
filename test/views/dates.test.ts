import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { timestampOf } from '../../src/domain/time.ts'
import { clockOf, dayHeading, dayInWords, instantInWords, monthInWords } from '../../src/views/parts/dates.ts'

const now = new Date('2026-03-01T00:30:00Z')

test.each([
  ['2026-03-01T00:30:00.000Z', 'Today, Sunday 1 March'],
  ['2026-03-01T00:00:00.000Z', 'Today, Sunday 1 March'],
  ['2026-02-28T23:59:59.999Z', 'Yesterday, Saturday 28 February'],
  ['2026-02-28T00:00:00.000Z', 'Yesterday, Saturday 28 February'],
  ['2026-02-27T23:59:59.999Z', 'Friday 27 February'],
  ['2025-03-01T00:30:00.000Z', 'Saturday 1 March 2025'],
])('on 1 March 2026 the heading of %s is "%s"', (time, heading) => {
  expect(dayHeading(new Date(time), now)).toBe(heading)
})

test('a time in the future is under Today, even after midnight', () => {
  expect(dayHeading(new Date('2026-03-02T00:00:01Z'), now)).toBe('Today, Sunday 1 March')
})

test('days, months and instants are written in UTC and in English', () => {
  const instant = new Date('2026-09-09T09:05:07+02:00')
  expect(dayInWords(instant)).toBe('9 September 2026')
  expect(monthInWords(instant)).toBe('September 2026')
  expect(instantInWords(instant)).toBe('9 September 2026, 07:05 UTC')
})

test('midnight is hour 00', () => {
  expect(instantInWords(new Date('2026-01-01T00:00:00Z'))).toBe('1 January 2026, 00:00 UTC')
})

test('any instant is written as Intl writes it', () => {
  const { format } = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1969-12-30'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (instant) => {
        const clock = timestampOf(instant).slice('2026-03-12T'.length, -':00Z'.length)
        expect(instantInWords(instant)).toBe(`${format(instant)}, ${clock} UTC`)
        expect(clockOf(instant)).toBe(clock)
      },
    ),
  )
  expect(() => instantInWords(new Date(Number.NaN))).toThrow(RangeError)
})
