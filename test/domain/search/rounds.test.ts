import { expect, test } from 'bun:test'
import { firstRound, nextRound } from '../../../src/domain/search/rounds.ts'

test('A round of a search is as large as the one before has told that it may be', () => {
  const slow = nextRound(100, 50)
  expect(slow).toBe(50)
  expect(nextRound(slow, 25)).toBe(slow)
  expect(nextRound(firstRound, 0)).toBe(firstRound * 16)
  expect(nextRound(firstRound, 10_000)).toBe(4)
})
