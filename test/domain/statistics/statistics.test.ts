import { expect, test } from 'bun:test'
import { deploymentsBetween, median, medianGap, streakOf } from '../../../src/domain/statistics/frequency.ts'
import { heatLevels } from '../../../src/domain/statistics/heat.ts'

const today = 20_000

const on = (...ago: number[]) =>
  ago.toSorted((a, b) => b - a).map((days) => ({ day: today - days, deployments: 1 }))

test('the first and the last day of a span are counted', () => {
  const days = [3, 2, 1].map((ago) => ({ day: today - ago, deployments: 10 ** ago }))
  expect(deploymentsBetween(days, today - 2, today - 1)).toBe(110)
  expect(deploymentsBetween(days, today - 3, today)).toBe(1110)
  expect(deploymentsBetween(days, today, today)).toBe(0)
})

test.each([
  [[], null],
  [[3], 3],
  [[9, 1], 5],
  [[100, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
])('the median of %p is %p', (numbers, expected) => {
  expect(median(numbers)).toBe(expected)
})

test.each([
  ['no deployment', [], null],
  ['one', [9], null],
  ['two', [9, 2], 7],
  ['a long pause among short gaps', [100, 99, 97, 10, 9], 1.5],
  ['two of one instant', [5, 5], 0],
  ['a clock that went back', [4, 5], 0],
])('the median gap of %s', (_, instants, expected) => {
  expect(medianGap(instants.map((instant) => new Date(instant)))).toBe(expected)
})

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
  expect(streakOf(on(...ago), 0, today)).toBe(expected)
})

test.each([
  ['only history', [0, 1, 2], null, 0],
  ['a first announcement today', [0, 1, 2], 0, 1],
  ['a first announcement yesterday', [0, 1, 2], 1, 2],
  ['a first announcement long ago', [0, 1, 2], 9, 3],
])('the streak after %s counts no history', (_, ago, first, expected) => {
  expect(streakOf(on(...ago), first === null ? null : today - first, today)).toBe(expected)
})

test.each([
  [[], [0, 0]],
  [[1], [0, 4]],
  [
    [1, 1, 1, 2],
    [0, 2, 4],
  ],
  [
    [1, 2, 3],
    [0, 2, 3, 4],
  ],
  [
    [4, 3, 2, 1],
    [0, 1, 2, 3, 4],
  ],
])('among days with %p deployments, 0, 1, 2 … have the heat %p', (counts, levels) => {
  const levelOf = heatLevels(counts)
  expect<number[]>(levels.map((_, count) => levelOf(count))).toEqual(levels)
})

test('one release day does not make the rest pale', () => {
  const levelOf = heatLevels([1, 2, 3, 500])
  expect([1, 2, 3, 500].map(levelOf)).toEqual([1, 2, 3, 4])
})
