import { expect, test } from 'bun:test'
import { deploymentsBetween, median, medianGap } from '../../../src/domain/statistics/frequency.ts'
import { heatLevels } from '../../../src/domain/statistics/heat.ts'

const today = 20_006

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
