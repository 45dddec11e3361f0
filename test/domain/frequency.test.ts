import { describe, expect, test } from 'bun:test'
import { frequencies, frequencyOf } from '../../src/domain/frequency.ts'

const today = 20_000

/** Deployments by how many days ago they were. */
function days(deployments: Readonly<Record<number, number>>) {
  return Object.entries(deployments)
    .map(([ago, count]) => ({ day: today - Number(ago), deployments: count }))
    .toSorted((a, b) => a.day - b.day)
}

/** The same every so many days, for so many days. */
function every(step: number, length: number, count = 1) {
  return days(Object.fromEntries(Array.from({ length: length / step }, (_, n) => [n * step, count])))
}

test.each([
  ['eight a week', 'On demand', days(Object.fromEntries(Array.from({ length: 13 }, (_, n) => [n * 7, 8])))],
  ['seven a week', 'Daily', every(1, 91)],
  ['one a week', 'Daily', every(7, 91)],
  ['one in two weeks', 'Weekly', every(14, 364)],
  ['one in four weeks', 'Weekly', every(28, 364)],
  ['one in eight weeks', 'Monthly', every(56, 364)],
  ['one, 181 days ago', 'Monthly', days({ 181: 1 })],
  ['one, 182 days ago', 'Yearly', days({ 182: 1 })],
  ['none', 'Yearly', []],
] as const)('%s is %s', (_, name, deployments) => {
  expect(frequencyOf(deployments, today).name).toBe(name)
})

describe('One busy day makes no rhythm', () => {
  test.each([
    ['the first day', 'Monthly', days({ 0: 50 })],
    ['after a year with one a week', 'Daily', [...every(7, 364), { day: today, deployments: 50 }]],
  ])('%s is %s', (_, name, deployments) => {
    expect(frequencyOf(deployments, today).name).toBe(name)
  })
})

test('who is new is measured from their first deployment on', () => {
  expect(frequencyOf(every(1, 8), today).name).toBe('Monthly')
  expect(frequencyOf(every(1, 9), today)).toMatchObject({ name: 'Daily', periods: 4, median: 1 })
  expect(frequencyOf(every(1, 36), today)).toMatchObject({ periods: 6, median: 7 })
  expect(frequencyOf(every(1, 364), today)).toMatchObject({ periods: 12, median: 7 })
})

test('it tells what it is based on', () => {
  expect(frequencyOf(every(28, 364), today)).toEqual({
    name: 'Weekly',
    meaning: 'between once a week and once a month',
    period: 'spans of four weeks',
    periods: 6,
    median: 1,
  })
})

test('the words are DORA’s, the most frequent first', () => {
  expect(frequencies.map(({ name }) => name)).toEqual(['On demand', 'Daily', 'Weekly', 'Monthly', 'Yearly'])
})
