import { expect, test } from 'bun:test'
import { onceAMinute } from '../../src/log/once-a-minute.ts'

test('of many alike the first is let through, and one a minute, with how many were held back', () => {
  const decide = onceAMinute()
  const instants = [0, 1, 59_999, 60_000, 119_999, 120_000, 500_000]
  expect(instants.map(decide)).toEqual([0, null, null, 2, null, 1, 0])
})
