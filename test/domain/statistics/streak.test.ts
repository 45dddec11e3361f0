import { expect, test } from 'bun:test'
import { streakOf } from '../../../src/domain/statistics/streak.ts'
import { weekdayOf } from '../../../src/domain/time.ts'

/** A Thursday. */
const today = 20_006

const on = (...ago: number[]) =>
  ago.toSorted((a, b) => b - a).map((days) => ({ day: today - days, deployments: 1 }))

test.each([
  ['nothing', [], 0],
  ['today alone', [0], 1],
  ['yesterday alone, for today is not over', [1], 1],
  ['the day before yesterday', [2], 0],
  ['today and yesterday', [0, 1], 2],
  ['three days up to yesterday', [1, 2, 3], 3],
  ['a day off in between', [0, 1, 3, 4], 2],
  ['a day ahead of the clock', [-1, 0], 1],
])('the streak after %s', (_, ago, expected) => {
  expect(streakOf(on(...ago), today - 99, today)).toBe(expected)
})

const [friday, saturday, sunday, monday] = [1, 2, 3, 4].map((days) => today + days) as [
  number,
  number,
  number,
  number,
]

test.each([
  ['on Monday, after Friday', [friday], monday, 1],
  ['on Monday, after a deployment then and on Friday', [friday, monday], monday, 2],
  ['on Sunday, after Friday', [friday], sunday, 1],
  ['on Saturday, after Thursday', [today], saturday, 0],
  ['on Monday, after Thursday', [today], monday, 0],
  ['on Tuesday, after Friday', [friday], monday + 1, 0],
  ['with a deployment on Saturday', [friday, saturday, monday], monday, 3],
  ['of a weekend alone', [saturday, sunday], monday, 2],
])('neither a weekend without a deployment nor today ends a streak: %s', (_, deployed, now, expected) => {
  const days = deployed.map((day) => ({ day, deployments: 1 }))
  expect(streakOf(days, today - 99, now)).toBe(expected)
})

test('a streak that begins before what is read has no known length', () => {
  const workdays = Array.from({ length: 365 }, (_, n) => today - 364 + n)
    .filter((day) => weekdayOf(day) < 5)
    .map((day) => ({ day, deployments: 1 }))
  expect(streakOf(workdays, today - 365, today)).toBe(Number.POSITIVE_INFINITY)
  expect(streakOf(workdays, today - 364, today)).toBe(261)
  expect(streakOf(workdays.slice(1), today - 365, today)).toBe(260)
})

test.each([
  ['only history', [0, 1, 2], null, 0],
  ['a first announcement today', [0, 1, 2], 0, 1],
  ['a first announcement yesterday', [0, 1, 2], 1, 2],
  ['a first announcement long ago', [0, 1, 2], 9, 3],
])('the streak after %s counts no history', (_, ago, first, expected) => {
  expect(streakOf(on(...ago), first === null ? null : today - first, today)).toBe(expected)
})
