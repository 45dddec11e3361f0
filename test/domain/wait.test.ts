import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { waitInWords } from '../../src/domain/wait.ts'

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

test('a wait is never named shorter than it is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200_000 }), (seconds) => {
      const [count, unit = ''] = waitInWords(seconds).split(' ')
      expect(Number(count) * (unit.startsWith('hour') ? 3_600 : 60)).toBeGreaterThanOrEqual(seconds)
    }),
  )
})
