import { expect, test } from 'bun:test'
import { firstRound, nextRound } from '../../../src/capabilities/search/postings.ts'

test('The duration of a round of a search decides the size of the next', () => {
  const slow = nextRound(100, 50)
  expect(slow).toBe(50)
  expect(nextRound(slow, 25)).toBe(slow)
  expect(nextRound(firstRound, 0)).toBe(firstRound * 16)
  expect(nextRound(firstRound, 10_000)).toBe(4)
})
