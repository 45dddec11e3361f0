import { describe, expect, test } from 'bun:test'
import { frequencyOf } from '../../../src/domain/statistics/frequency.ts'
import type { DeploymentDay } from '../../../src/domain/statistics/overview.ts'
import { startOfDay } from '../../../src/domain/time.ts'

const today = 20_000
const now = startOfDay(today)

/** Deployments, given by their age in days. */
function days(deployments: Readonly<Record<number, number>>): DeploymentDay[] {
  return Object.entries(deployments)
    .map(([ago, count]) => ({ day: today - Number(ago), deployments: count }))
    .toSorted((a, b) => a.day - b.day)
}

/** Deployments at regular intervals, in days, over a number of days. */
function every(step: number, length: number, count = 1): DeploymentDay[] {
  return days(
    Object.fromEntries(Array.from({ length: Math.ceil(length / step) }, (_, n) => [n * step, count])),
  )
}

function frequency(deployed: readonly DeploymentDay[]) {
  const recent = deployed.flatMap(({ day, deployments }) => Array<Date>(deployments).fill(startOfDay(day)))
  return frequencyOf({ days: deployed, recent: recent.toReversed().slice(0, 100), now })
}

describe('the frequency, and DORA’s word for it', () => {
  test.each([
    ['2 a day', every(1, 91, 2), 14, 'week', 'On demand'],
    ['13 a week', every(7, 91, 13), 13, 'week', null],
    ['8 a week', every(7, 91, 8), 8, 'week', null],
    ['1 a day', every(1, 91), 7, 'week', 'Daily'],
    ['1 a week', every(7, 91), 1, 'week', 'Daily'],
    ['1 in two weeks', every(14, 364), 2, 'four weeks', 'Weekly'],
    ['1 in four weeks', every(28, 364), 1, 'four weeks', 'Weekly'],
    ['5 at once in four weeks', every(28, 364, 5), 5, 'four weeks', null],
    ['1 in eight weeks', every(56, 364), 4, 'six months', 'Monthly'],
    ['2, 181 days ago and before', days({ 181: 1, 300: 1 }), 1, 'six months', 'Monthly'],
    ['2, 182 days ago and before', days({ 182: 1, 300: 1 }), 0, 'six months', 'Yearly'],
    ['7 at once in six months', days({ 100: 7, 300: 1 }), 7, 'six months', null],
    ['2 long before the year that is known', [], 0, 'six months', 'Yearly'],
  ] as const)('%s', (_, deployed, median, span, word) => {
    const recent =
      deployed.length > 0
        ? deployed.flatMap(({ day, deployments }) => Array<Date>(deployments).fill(startOfDay(day)))
        : [startOfDay(today - 900), startOfDay(today - 901)]
    const found = frequencyOf({ days: deployed, recent, now })
    expect(found).toMatchObject({ kind: 'measured', median, span })
    expect(found.kind === 'measured' && (found.answer?.word ?? null)).toBe(word)
  })
})

describe('nothing is reported too early', () => {
  test('a single deployment has no frequency, however old it is', () => {
    expect(frequency(days({ 0: 1 }))).toEqual({ kind: 'first' })
    expect(frequency(days({ 300: 1 }))).toEqual({ kind: 'first' })
  })

  test('27 days are too few, 28 are enough', () => {
    expect(frequency(every(1, 27, 40))).toEqual({ kind: 'early', deployments: 27 * 40, days: 27 })
    expect(frequency(every(1, 28))).toMatchObject({ kind: 'measured', median: 7, spans: 4 })
  })

  test('a new user is measured by the whole weeks since the first deployment, at most twelve', () => {
    expect(frequency(every(1, 41))).toMatchObject({ median: 7, spans: 5 })
    expect(frequency(every(1, 364))).toMatchObject({ median: 7, spans: 12 })
  })

  test('one busy day does not change the frequency', () => {
    expect(frequency([...every(7, 364), { day: today, deployments: 50 }])).toMatchObject({
      median: 1,
      span: 'week',
    })
  })
})
