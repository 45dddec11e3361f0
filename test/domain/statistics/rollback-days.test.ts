import { expect, test } from 'bun:test'
import { type Placed, rollbacksByDay } from '../../../src/domain/statistics/rollback-days.ts'

/** Deployments on these days, given with the oldest first. */
const announced = (...all: readonly (Partial<Placed> & { day: number })[]): Placed[] =>
  all
    .map(({ day, ...one }, n) => ({
      ...{ id: n + 1, target: '-/engine', environment: 'production', deployedAt: new Date(day * 86_400_000) },
      ...one,
    }))
    .reverse()

test('days have the rollbacks of each environment of a target, whatever the case of its name', () => {
  const deployments = announced(
    { day: 1, version: 'v1' },
    { day: 2, version: 'v2' },
    { day: 3, version: 'v1', environment: 'Production' },
    // Not there before, and not another target's.
    { day: 3, version: 'v1', environment: 'staging' },
    { day: 3, version: 'v1', target: '-/notes' },
    { day: 3, version: 'v2' },
    { day: 4, version: 'v2' },
    { day: 4, version: 'v3' },
    { day: 4, version: 'v2' },
  )
  expect([...rollbacksByDay(deployments)]).toEqual([
    [4, 1],
    [3, 1],
  ])
})

test('a day may have several, and others none', () => {
  const versions = ['v1', 'v2', 'v3', 'v2', 'v1']
  expect([...rollbacksByDay(announced(...versions.map((version) => ({ day: 7, version }))))]).toEqual([
    [7, 2],
  ])
  expect([...rollbacksByDay(announced({ day: 1 }, { day: 1, commit: 'abcdef0' }, { day: 2 }))]).toEqual([])
  expect(rollbacksByDay([]).size).toBe(0)
})
